import { cut } from '../messages/received-value.js';
import { errorOf, problemIn } from './error-of-problem.js';
import { type AnswerOf, ROUTES, type RouteId } from './routes.js';

/**
 * The part of `fetch` that is used: the global one of any runtime has it.
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
  },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

/** What a call adds to its method and path. */
interface CallParts {
  /** Replaces the parameter of the path. */
  readonly id?: string | number;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** A value that JSON has. */
  readonly body?: unknown;
}

/** Calls an operation of the control plane; rejects as the library throws. */
export type Send = <Id extends RouteId>(operation: Id, parts?: CallParts) => Promise<AnswerOf<Id>>;

/** Where the calls go, and in whose name. */
export interface Target {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly controlToken?: string | undefined;
  /** The bearer token; none for what concerns the whole server. */
  readonly token?: string;
}

/** Creates what calls the control plane of one mock, for one account or for the whole server. */
export function createSend({ url, fetch, controlToken, token }: Target): Send {
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(controlToken !== undefined && { 'X-Control-Token': controlToken }),
  };

  return async (operation, { id, query = {}, body } = {}) => {
    const [method = '', path = '', members = ''] = ROUTES[operation].split(' ');
    const target = `${url}/__control${path.replace('{id}', () => encodeURIComponent(id ?? ''))}${textOf(query)}`;
    const call = `${method} ${target}`;
    const answer = await fetch(target, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw noAnswer(url, call, error);
    });
    const text = await answer.text().catch((error: unknown) => {
      throw noAnswer(url, call, error);
    });
    const value = objectIn(text);
    const isExpected = members.split('|').some((name) => name in (value ?? {}));
    if (isExpected && answer.status < 300) return value as AnswerOf<typeof operation>;
    const problem = problemIn(value);
    throw problem ? errorOf(problem, body) : anotherServer(url, call, answer.status, text);
  };
}

function textOf(query: NonNullable<CallParts['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The object that a text of JSON is; undefined for any other text. */
function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function noAnswer(url: string, call: string, error: unknown): Error {
  const { message = String(error), cause } = Object(error) as Partial<Error>;
  const reasons = [message, (Object(cause) as Partial<Error>).message].filter(Boolean).join(': ');
  return new Error(
    `No mock answers at ${url}: ${call} failed (${reasons}). Start the mock, or correct the URL.`,
    { cause: error },
  );
}

function anotherServer(url: string, call: string, status: number, text: string): Error {
  return new Error(
    `${call} was answered with ${status} and ${text === '' ? 'no body' : JSON.stringify(cut(text))}; expected the control plane of usage-billing-mock. Correct the URL ${url}: it is the one that the mock prints, with its base path if it has one.`,
  );
}
