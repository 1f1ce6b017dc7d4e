import { ProblemError } from '../../core/errors/problem-error.js';
import { isLoopback, isOrigin } from '../../core/values/origins.js';
import { cut } from '../../core/values/received-value.js';
import { preflightMethod } from '../service/cross-origin.js';
import type { Exchange, Step } from '../service/exchange.js';
import { schemeOf } from '../service/request-and-response.js';

export interface AccessRules {
  /** The required value of `X-Control-Token`; if left out, none is required. */
  readonly controlToken?: string | undefined;
  /** True if calls from this machine may leave out the control token. */
  readonly trustsLoopback: boolean;
  /** Host names under which it may be called, besides loopback names. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call it, besides its own. */
  readonly allowedOrigins: readonly string[];
  /** True if only the page that the mock runs in can reach it: then nothing is checked. */
  readonly isOfPage?: boolean;
}

/**
 * Refuses a wrong control token. If none is required, refuses calls from another machine, with a
 * foreign Host (DNS rebinding), or with a foreign Origin (a page that posts to localhost).
 */
export function refuseForeignCallers(rules: AccessRules): Step {
  const { controlToken, trustsLoopback, allowedOrigins } = rules;
  const allowedHosts = rules.allowedHosts.map((host) => host.toLowerCase());
  return (exchange) => {
    if (rules.isOfPage) return;
    if (controlToken === undefined || (trustsLoopback && isLocalWithoutToken(exchange))) {
      refuseForeignAddress(exchange);
      refuseForeignHost(exchange, allowedHosts);
      refuseForeignOrigin(exchange, allowedOrigins);
    } else if (isPreflight(exchange)) refuseForeignOrigin(exchange, allowedOrigins);
    else refuseWrongControlToken(exchange, controlToken);
  };
}

function isLocalWithoutToken({ fields, request }: Exchange): boolean {
  return fields['x-control-token'] === undefined && isLoopback(request.caller.address ?? '');
}

function refuseWrongControlToken({ fields, platform }: Exchange, controlToken: string): void {
  const received = fields['x-control-token'];
  if (received !== undefined && platform.isSameSecret(received, controlToken)) return;
  const was =
    received === undefined ? 'No X-Control-Token was received' : 'The X-Control-Token is wrong';
  throw refusal(
    `${was}; expected the control token of this mock: the value of --control-token (server.controlToken in the library), or the one that it printed or wrote to the ready file.`,
  );
}

/** A client can make up its Host, but not the address that it connects from. */
function refuseForeignAddress({ request: { caller } }: Exchange): void {
  const { address } = caller;
  if (address !== undefined && isLoopback(address)) return;
  const from =
    address === undefined ? 'a connection without an address' : `the address '${address}'`;
  throw refusal(
    `The request comes from ${from}; expected a loopback address such as 127.0.0.1, because the control plane has no token. Start the mock with --control-token (controlToken in the library), and send the token in X-Control-Token.`,
  );
}

function refuseForeignHost({ fields }: Exchange, allowedHosts: readonly string[]): void {
  const { host = '' } = fields;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isLoopback(name) || allowedHosts.includes(name)) return;
  const [was, fix] =
    host === ''
      ? ['no Host', 'Send the Host header.']
      : [`the Host '${cut(host)}'`, 'Allow it with --allowed-host (allowedHosts in the library).'];
  throw refusal(
    `The request has ${was}; expected ${['localhost', ...allowedHosts].join(', ')}. ${fix}`,
  );
}

/** Whether this is a CORS preflight, which carries no token. */
function isPreflight(exchange: Exchange): boolean {
  return preflightMethod(exchange) !== undefined && exchange.fields.origin !== undefined;
}

function refuseForeignOrigin(exchange: Exchange, allowedOrigins: readonly string[]): void {
  const { origin, host } = exchange.fields;
  refuseUnreadable(exchange);
  if (origin === undefined || origin === `${schemeOf(exchange.request.caller)}://${host}`) return;
  if (allowedOrigins.includes(origin)) return;
  const fix = isOrigin(origin)
    ? `Allow it with --allowed-origin ${origin} (allowedOrigins in the library).`
    : 'Such a page cannot be allowed: serve it over HTTP or HTTPS.';
  throw refusal(
    `The request comes from a page at '${cut(origin)}'; expected no Origin or an allowed one. ${fix}`,
  );
}

/** Browsers load images and scripts from other origins without sending `Origin`. */
function refuseUnreadable({ fields }: Exchange): void {
  const { 'sec-fetch-mode': mode, 'sec-fetch-site': site = 'none' } = fields;
  if (mode !== 'no-cors' || ['none', 'same-origin'].includes(site)) return;
  throw refusal(
    `The request comes from a page of another origin (Sec-Fetch-Site: ${cut(site)}), in the mode that browsers use for images and scripts; expected the mode cors. Call the control plane with fetch, from an allowed origin.`,
  );
}

function refusal(detail: string): ProblemError {
  return new ProblemError('forbidden', detail);
}
