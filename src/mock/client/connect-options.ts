import { checkOptions, type OptionRule, type OptionRules } from '../../core/errors/option-error.js';
import type { FetchLike } from './receive.js';

/**
 * The address of a mock, and how to call it.
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
  /**
   * How many milliseconds a call may take, its response included; 60,000 if left out. `waitFor`
   * adds its own timeout.
   */
  readonly timeoutMs?: number | undefined;
  /** How many bytes a response may have, decompressed; 256 MB (2 ** 28) if left out. */
  readonly maxResponseBytes?: number | undefined;
}

const DEFAULTS = { timeoutMs: 60_000, maxResponseBytes: 2 ** 28 };

/** The longest delay of a timer. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;
/** The limit of both options; in bytes, it is more than a string can have characters. */
const MOST = LONGEST_DELAY_MS;

const COUNT: OptionRule = {
  expected: `a whole number from 1 to ${MOST}`,
  isValid: (count) => Number.isInteger(count) && Number(count) > 0 && Number(count) <= MOST,
};

const RULES: OptionRules<ConnectOptions> = {
  url: {
    expected:
      "the URL of a mock, such as 'http://127.0.0.1:4010', with its base path if it has one",
    isValid: (url) => urlOf(url) !== undefined,
    isRequired: true,
  },
  controlToken: { expected: 'a string', isValid: (token) => typeof token === 'string' },
  fetch: {
    expected: 'a function such as the global fetch',
    isValid: (fetch) => typeof fetch === 'function',
  },
  timeoutMs: COUNT,
  maxResponseBytes: COUNT,
};

/**
 * The options with their defaults, without slashes at the end of the URL. Throws an `OptionError`
 * for a mistake.
 */
export function checkedOptions(given: unknown) {
  const { timeoutMs, maxResponseBytes, ...options } = checkOptions(given, RULES, {
    purpose: 'for connectMockServer',
    example: "{ url: 'http://127.0.0.1:4010' }",
  });
  return {
    ...options,
    url: String(urlOf(options.url)),
    timeoutMs: timeoutMs ?? DEFAULTS.timeoutMs,
    maxResponseBytes: maxResponseBytes ?? DEFAULTS.maxResponseBytes,
  };
}

/** The mock's base URL; undefined if the text is not one. */
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
