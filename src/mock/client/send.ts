import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { isObject } from '../../core/values/json-value.js';
import { cut, escapeControls } from '../../core/values/received-value.js';
import type { BodyOf, PathOf, Route } from './control-routes.js';
import { errorOf, problemIn } from './error-of-problem.js';

/**
 * The part of `fetch` that the client uses; the global `fetch` of any runtime has it.
 *
 * @example
 * const fetching: FetchLike = (url, init) => fetch(url, init);
 */
export type FetchLike = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** A redirect may lead to another server, which must neither get the token nor be believed. */
    readonly redirect: 'manual';
    /** Aborts when the time is up; left out where `fetch` would refuse it, as under jsdom. */
    readonly signal?: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  /** A success without `X-Control-Plane` is not taken for the mock's. */
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** The longest delay of a timer. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

type QueryValue = string | number | boolean | undefined;

export interface CallParts<To extends Route = Route> {
  readonly path?: PathOf<To>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  /** How much longer than other calls it may take. */
  readonly waitMs?: number;
}

/**
 * Calls an operation of the control plane, and resolves to what `pick` selects from its response,
 * by default all of it. Rejects with errors of the library's classes.
 */
export type Call = <To extends Route, Picked = BodyOf<To>>(
  route: To,
  parts?: CallParts<To>,
  pick?: (body: BodyOf<To>) => Picked,
) => Promise<Picked>;

export interface Target {
  readonly url: string;
  readonly fetch: FetchLike;
  /** True if `fetch` calls the global one, which a test may have replaced. */
  readonly isGlobalFetch: boolean;
  readonly timeoutMs: number;
  readonly controlToken?: string | undefined;
  /** The bearer token; left out for calls that concern the whole server. */
  readonly token?: string;
}

export function createCall(given: Target): Call {
  const { url, fetch, isGlobalFetch, timeoutMs, controlToken, token } = given;
  const adviseWith = (advice: string) =>
    isGlobalFetch && isReplaced() ? `${USE_REAL_FETCH} ${advice}` : advice;
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(controlToken !== undefined && { 'X-Control-Token': controlToken }),
  };

  return async (route, parts = {}, pick = (whole) => whole as never) => {
    const { path, query = {}, body, waitMs = 0 } = parts;
    const [method = '', template = ''] = route.split(' ');
    const target = `${url}/__control${filled(template, path)}${searchOf(query)}`;
    const call = `${method} ${target}`;
    const init = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body, withoutNaN) }),
      redirect: 'manual',
    } as const;
    const limitMs = Math.min(timeoutMs + (waitMs > 0 ? waitMs : 0), MAX_DELAY_MS);
    const { status, isFromMock, text } = await withinTime(limitMs, target, async (limit) => {
      const response = await fetch(target, { ...init, ...limit });
      const isFromMock = response.headers.get('x-control-plane') === 'usage-billing-mock';
      return { status: response.status, isFromMock, text: await response.text() };
    }).catch((error: unknown) => {
      const advice = adviseWith('Start the mock, or correct the URL.');
      throw noResponse(url, call, error, advice);
    });
    const value = objectIn(text);
    if (isFromMock && status < 300 && value) return pick(value as BodyOf<typeof route>);
    const problem = problemIn(value);
    if (problem) throw errorOf(problem);
    const what = text === '' ? 'no body' : escapeControls(JSON.stringify(cut(text)));
    throw new Error(
      `${call} got a ${status} with ${what}; expected the control plane of usage-billing-mock. ${adviseWith(`Correct the URL ${url}: use the one that the mock prints, with any base path.`)}`,
    );
  };
}

/** JSON has null for such a number, which would remove the member; the mock refuses a text. */
function withoutNaN(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Puts values into the path; refuses those that a URL would lose. */
function filled(template: string, values: unknown): string {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    const given: unknown = Reflect.get(Object(values), name);
    const text = String(given ?? '');
    if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
    throw new InvalidInputError(name, 'an id that fits in a URL: neither empty nor . or ..', given);
  });
}

function searchOf(query: NonNullable<CallParts['query']>): string {
  const given = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
}

/** Rejects when the time is up, even if `fetch` takes no signal, or ignores it. */
async function withinTime<Result>(
  timeoutMs: number,
  url: string,
  send: (limit: { readonly signal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeoutMs);
  let expire = () => {};
  const expired = new Promise<never>((_resolve, reject) => {
    expire = () =>
      reject(new Error(`no response within ${timeoutMs} ms; to wait longer, raise timeoutMs`));
  });
  signal.addEventListener('abort', expire);
  try {
    return await Promise.race([send(acceptsSignal(signal, url) ? { signal } : {}), expired]);
  } finally {
    signal.removeEventListener('abort', expire);
  }
}

/** Whether this runtime's `fetch` accepts the signal. Under jsdom, their realms differ. */
function acceptsSignal(signal: AbortSignal, url: string): boolean {
  try {
    return new Request(url, { signal }).url !== '';
  } catch {
    return false;
  }
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const USE_REAL_FETCH =
  'The global fetch was replaced, perhaps by a test. Pass the real one to connectMockServer as its option fetch.';

/** Node's `fetch` is JavaScript around undici; browsers have native code. */
function isReplaced(): boolean {
  return !/\[native code\]|undici/.test(Function.prototype.toString.call(globalThis.fetch));
}

function noResponse(url: string, call: string, error: unknown, advice: string): Error {
  const { message = String(error), cause } = Object(error) as Partial<Error>;
  const reasons = [message, (Object(cause) as Partial<Error>).message].filter(Boolean).join(': ');
  return new Error(
    `No complete response from ${url}: ${call} failed (${escapeControls(reasons)}). ${advice}`,
    { cause: error },
  );
}
