import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ProblemError } from '../errors/problem-error.js';

/** Who may call the control plane. */
export interface GuardRules {
  /** What `X-Control-Token` must hold; nothing is demanded if it is left out. */
  readonly controlToken?: string | undefined;
  /** Names and addresses under which it may be called, beside the loopback ones. */
  readonly allowedHosts: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Refuses what a test would not send: a wrong control token; without one, a Host that is not the
 * mock's own (DNS rebinding) and any Origin but its own (a page that posts to localhost).
 */
export function guardControl({ controlToken, allowedHosts }: GuardRules): RequestHandler {
  const ownHosts = allowedHosts.map((host) => host.toLowerCase());
  return (request, _response, next) => {
    if (controlToken !== undefined) refuseWrongToken(request, controlToken);
    else {
      refuseForeignHost(request, ownHosts);
      refuseForeignOrigin(request);
    }
    next();
  };
}

function refuseWrongToken({ headers }: Request, controlToken: string): void {
  const received = headers['x-control-token'];
  if (typeof received === 'string' && isSame(received, controlToken)) return;
  const was =
    received === undefined ? 'No X-Control-Token was received' : 'The X-Control-Token is wrong';
  throw refusal(
    `${was}; expected the control token of this mock. It was given at the start (--control-token), or is printed there.`,
  );
}

/** Compares in a time that does not tell how much is alike. */
function isSame(received: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(received), digest(expected));
}

function refuseForeignHost({ headers }: Request, allowedHosts: readonly string[]): void {
  const { host = '' } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (LOOPBACK.test(name) || allowedHosts.includes(name)) return;
  throw refusal(
    `The request has the Host '${host}'; expected ${['localhost', ...allowedHosts].join(', ')}. Allow the name with --allowed-host.`,
  );
}

function refuseForeignOrigin({ headers }: Request): void {
  const { origin, host } = headers;
  if (origin === undefined || origin === `http://${host}`) return;
  throw refusal(
    `The request comes from a page of '${origin}'; expected no Origin but its own. The control plane is for tests: call it from there, or with a control token.`,
  );
}

function refusal(detail: string): ProblemError {
  return new ProblemError('forbidden', detail);
}
