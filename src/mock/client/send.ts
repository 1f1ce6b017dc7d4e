import { isObject } from '../../core/values/json-value.js';
import { MOST_LEVELS_WRAPPED, parseJson } from '../../core/values/parse-json.js';
import { cut, escapeControls } from '../../core/values/received-value.js';
import { LONGEST_DELAY_MS } from './connect-options.js';
import type { BodyOf, PathOf, Route } from './control-routes.js';
import { errorOf, problemIn } from './error-of-problem.js';
import { type CallLimits, type FetchLike, type ReceivedResponse, receive } from './receive.js';
import { refuseWhatJsonLacks } from './refuse-unsendable.js';

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
 * by default all of it. Refuses a body that JSON cannot express; rejects with the errors of the
 * library.
 */
export type Call = <To extends Route, Picked = BodyOf<To>>(
  route: To,
  parts?: CallParts<To>,
  pick?: (body: BodyOf<To>) => Picked,
) => Promise<Picked>;

export interface Target extends CallLimits {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly controlToken?: string | undefined;
  /** The bearer token; left out for calls that concern the whole server. */
  readonly token?: string;
}

export function createCall({ url, fetch, controlToken, token, ...limits }: Target): Call {
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(controlToken !== undefined && { 'X-Control-Token': controlToken }),
  };

  return async (route, parts = {}, pick = (whole) => whole as never) => {
    const { path: names, query = {}, body, waitMs = 0 } = parts;
    if ('body' in parts) refuseWhatJsonLacks(body);
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(Reflect.get(Object(names), name)),
    );
    const target = `${url}/__control${path}${searchOf(query)}`;
    const call = `${method} ${target}`;
    const init = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const given = { ...limits, timeoutMs: Math.min(limits.timeoutMs + waitMs, LONGEST_DELAY_MS) };
    const response = await receive(fetch, target, init, given).catch((error: unknown) => {
      throw noResponse(url, call, error);
    });
    const value = objectIn(response.text);
    const isSuccess = response.isFromMock && response.status < 300;
    if (isSuccess && value) return pick(value as BodyOf<typeof route>);
    const problem = problemIn(value);
    throw problem ? errorOf(problem, body) : unexpected(url, call, response, limits);
  };
}

function searchOf(query: NonNullable<CallParts['query']>): string {
  const given = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
}

function objectIn(text = ''): object | undefined {
  try {
    const value = parseJson(text, MOST_LEVELS_WRAPPED);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function noResponse(url: string, call: string, error: unknown): Error {
  const { message = String(error), cause } = Object(error) as Partial<Error>;
  const reasons = [message, (Object(cause) as Partial<Error>).message].filter(Boolean).join(': ');
  return new Error(
    `No complete response from ${url}: ${call} failed (${escapeControls(reasons)}). Start the mock, or correct the URL.`,
    { cause: error },
  );
}

function unexpected(
  url: string,
  call: string,
  { status, location, text }: ReceivedResponse,
  { maxResponseBytes }: CallLimits,
): Error {
  if (location === undefined && text === undefined) {
    return new Error(
      `${call} was answered with more than ${maxResponseBytes} bytes, the most allowed. Raise connectMockServer's option maxResponseBytes.`,
    );
  }
  const quoted = (some = '', none: string) =>
    some === '' ? none : escapeControls(JSON.stringify(cut(some)));
  const what =
    location === undefined
      ? `answered with ${status} and ${quoted(text, 'no body')}`
      : `redirected to ${quoted(location, 'a URL that the browser hides')}, which is not followed`;
  return new Error(
    `${call} was ${what}; expected the control plane of usage-billing-mock. Correct the URL ${url}: use the one that the mock prints, with any base path.`,
  );
}
