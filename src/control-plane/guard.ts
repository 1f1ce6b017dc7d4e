import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ProblemError } from '../errors/problem-error.js';
import { isLoopback } from '../http/loopback.js';
import { isOrigin } from '../http/origins.js';
import { preflightMethod } from '../http/pipeline/cors.js';
import { cut } from '../messages/received-value.js';

/** Who may call the control plane. */
export interface GuardRules {
  /** The required value of `X-Control-Token`; none is required if it is left out. */
  readonly controlToken?: string | undefined;
  /** True to require the token, if there is one, of other machines only. */
  readonly trustsLoopback: boolean;
  /** Host names under which it may be called, in addition to the loopback ones. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call it, in addition to its own. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Refuses what a test would not send: a wrong control token; if none is required, a call from another
 * machine, a foreign Host (DNS rebinding) and a foreign Origin (a page that posts to localhost).
 */
export function guardControl(rules: GuardRules): RequestHandler {
  const { controlToken, trustsLoopback, allowedOrigins } = rules;
  const allowedHosts = rules.allowedHosts.map((host) => host.toLowerCase());
  return (request, _response, next) => {
    if (controlToken === undefined || (trustsLoopback && isWithoutTokenFromHere(request))) {
      refuseForeignAddress(request);
      refuseForeignHost(request, allowedHosts);
      refuseForeignOrigin(request, allowedOrigins);
    } else if (isPreflight(request)) refuseForeignOrigin(request, allowedOrigins);
    else refuseWrongToken(request, controlToken);
    next();
  };
}

function isWithoutTokenFromHere({ headers, socket }: Request): boolean {
  return headers['x-control-token'] === undefined && isLoopback(socket.remoteAddress ?? '');
}

function refuseWrongToken({ headers }: Request, controlToken: string): void {
  const received = headers['x-control-token'];
  if (typeof received === 'string' && isSame(received, controlToken)) return;
  const was =
    received === undefined ? 'No X-Control-Token was received' : 'The X-Control-Token is wrong';
  throw refusal(
    `${was}; expected the control token of this mock: the value of --control-token, or the one printed at the start.`,
  );
}

/** Compares in constant time, which does not reveal how much is equal. */
function isSame(received: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(received), digest(expected));
}

/** Whoever sends a request chooses its Host; the address it comes from they do not. */
function refuseForeignAddress({ socket: { remoteAddress } }: Request): void {
  if (remoteAddress !== undefined && isLoopback(remoteAddress)) return;
  const from =
    remoteAddress === undefined
      ? 'a connection without an address'
      : `the address '${remoteAddress}'`;
  throw refusal(
    `The request comes from ${from}; expected a loopback address such as 127.0.0.1, for the control plane has no token. Start the mock with --control-token (controlToken in the library), and send the token in X-Control-Token.`,
  );
}

function refuseForeignHost({ headers }: Request, allowedHosts: readonly string[]): void {
  const { host = '' } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isLoopback(name) || allowedHosts.includes(name)) return;
  throw refusal(
    `The request has the Host '${host}'; expected ${['localhost', ...allowedHosts].join(', ')}. Allow the name with --allowed-host.`,
  );
}

/** Whether a browser asks what a page may send; it sends no token with that. */
function isPreflight(request: Request): boolean {
  return preflightMethod(request) !== undefined && request.headers.origin !== undefined;
}

function refuseForeignOrigin(request: Request, allowedOrigins: readonly string[]): void {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === `${request.protocol}://${host}`) return;
  if (allowedOrigins.includes(origin)) return;
  const fix = isOrigin(origin)
    ? `Allow it with --allowed-origin ${origin} (allowedOrigins in the library).`
    : 'Such a page cannot be allowed: serve it over http or https.';
  throw refusal(
    `The request comes from a page of '${cut(origin)}'; expected no Origin, or one that is allowed. ${fix}`,
  );
}

function refusal(detail: string): ProblemError {
  return new ProblemError('forbidden', detail);
}
