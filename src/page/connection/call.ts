import type { ControlComponents, ServiceComponents } from '#spec';
import { decoded } from '../parts/route.js';
import { keep, readKept } from '../parts/use-kept.js';

export type Schemas = ControlComponents['schemas'];

type Problem = Partial<ServiceComponents['schemas']['Problem']>;

/** The URL of the control plane, which serves this page. */
const CONTROL_URL = new URL('.', location.href);

/** The URL of the service, one level above the control plane. */
export const SERVICE_URL = new URL('..', CONTROL_URL);

/** Stands in for an account's id: for the whole server, or for requests that reached no account. */
export const NO_ACCOUNT = 'server';

/** The token of the banner and the examples; any other works as well. */
export const EXAMPLE_TOKEN = 'my-token';

/** How long to wait for what is read. */
const READ_MS = 30_000;

export interface Call {
  readonly method?: string;
  /** Parameters that are undefined or empty are not sent. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The public id of the account to act on, or `NO_ACCOUNT`. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal;
}

/** A call that was answered with an error status. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail ?? problem.title ?? `The control plane answered ${status}.`);
  }
}

export class UnreachableError extends Error {
  constructor() {
    super(`The mock at ${SERVICE_URL.href} does not answer.`);
  }
}

/** Calls the control plane and returns the JSON of its response. */
export async function call<Body = unknown>(path: string, options: Call = {}): Promise<Body> {
  const response = await send(path, options);
  return (await response.json()) as Body;
}

/** Calls the control plane. Throws a `CallError` for a refusal, or as `fetchFromMock` does. */
export async function send(path: string, options: Call): Promise<Response> {
  const { method = 'GET', query, body, account } = options;
  // Else reads that are repeated would occupy all connections once the mock no longer responds.
  const signal = options.signal ?? (method === 'GET' ? AbortSignal.timeout(READ_MS) : undefined);
  const token = controlToken();
  const url = new URL(path.slice(1), CONTROL_URL);
  const isOfServer = account === NO_ACCOUNT;
  for (const [name, value = ''] of Object.entries({ ...(isOfServer && { of: account }), ...query }))
    if (value !== '') url.searchParams.set(name, String(value));
  const response = await fetchFromMock(url, {
    method,
    headers: {
      ...(account !== undefined && !isOfServer && { 'X-Account-Id': account }),
      ...(token !== undefined && { 'X-Control-Token': token }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.ok) return response;
  throw new CallError(response.status, (await response.json().catch(() => ({}))) as Problem);
}

/** Throws an `UnreachableError` if there is no response, or not in time, unless it was aborted. */
export async function fetchFromMock(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    throw isLate || error instanceof TypeError ? new UnreachableError() : error;
  }
}

const TOKEN_NAME = 'control token';

/** Moves a control token from the fragment, which no server sees, to this tab; false if none. */
export function adoptTokenOfFragment(): boolean {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  history.replaceState(null, '', location.pathname + location.search);
  keepControlToken(decoded(token));
  return true;
}

export function controlToken(): string | undefined {
  return readKept<string | undefined>(TOKEN_NAME, undefined);
}

export function keepControlToken(token: string): void {
  // `fetch` may throw for other characters, as if no mock answered; encoded, they are refused.
  const isSendable = /^[ -~]*$/.test(token);
  keep(TOKEN_NAME, isSendable ? token : encodeURIComponent(token));
}
