import { isObject } from '../values/json-value.js';
import { shown } from '../values/received-value.js';
import type { FetchLike } from './receive.js';

/**
 * The address of a mock, and what the mock requires.
 *
 * @example
 * const options: ConnectOptions = { url: 'http://127.0.0.1:4010', controlToken: 'secret' };
 */
export interface ConnectOptions {
  /** The URL that the mock prints, with any base path. */
  readonly url: string;
  /** The `X-Control-Token` that the mock requires, if any. */
  readonly controlToken?: string | undefined;
  /** How requests are sent; the global `fetch` if left out. */
  readonly fetch?: FetchLike | undefined;
  /** How many milliseconds a call may take, its response included; 60,000 if left out. */
  readonly timeoutMs?: number | undefined;
  /** How many bytes a response may have, decompressed; 256 MB (2 ** 28) if left out. */
  readonly maxResponseBytes?: number | undefined;
}

/** No timer is longer, and no text. */
const MOST = 2 ** 31 - 1;

const COUNT = [
  (count: unknown) => Number.isInteger(count) && Number(count) > 0 && Number(count) <= MOST,
  `a whole number from 1 to ${MOST}`,
] as const;

/** What each option may be if it is given, and in words. */
const OPTIONS: Readonly<
  Record<keyof ConnectOptions, readonly [(value: unknown) => boolean, string]>
> = {
  url: [
    (url) => urlOf(url) !== undefined,
    "the URL of a mock, such as 'http://127.0.0.1:4010', with its base path if it has one",
  ],
  controlToken: [(token) => typeof token === 'string', 'a string'],
  fetch: [(fetch) => typeof fetch === 'function', 'a function such as the global fetch'],
  timeoutMs: COUNT,
  maxResponseBytes: COUNT,
};

/** The options, the URL without slashes at the end. Throws a `TypeError` for the first mistake. */
export function checkedOptions(options: unknown): ConnectOptions {
  if (!isObject(options)) {
    throw new TypeError(
      `The options are ${shown(options)}; expected an object such as { url: 'http://127.0.0.1:4010' }.`,
    );
  }
  const known = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Unknown option '${unknown}' for connectMockServer; expected ${known.join(', ')}.`,
    );
  }
  for (const [name, [isValid, expected]] of Object.entries(OPTIONS)) {
    const { [name]: given } = options;
    if (isValid(given) || (given === undefined && name !== 'url')) continue;
    throw new TypeError(`The option '${name}' is ${shown(given)}; expected ${expected}.`);
  }
  return { ...options, url: String(urlOf(options.url)) };
}

/** The URL below which everything answers; undefined if it is none of a mock. */
function urlOf(url: unknown): string | undefined {
  try {
    const { protocol, origin, pathname, search, hash } = new URL(String(url));
    if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') return undefined;
    const [path = ''] = /^(?:\/+[^/]+)*/.exec(pathname) ?? [];
    return origin + path;
  } catch {
    return undefined;
  }
}
