import { checkOptions, type OptionRules } from '../../core/errors/option-error.js';
import { type FetchLike, MAX_DELAY_MS } from './send.js';

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
}

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
  timeoutMs: {
    expected: `a whole number from 1 to ${MAX_DELAY_MS}`,
    isValid: (ms) => Number.isInteger(ms) && Number(ms) > 0 && Number(ms) <= MAX_DELAY_MS,
  },
};

/**
 * The options with their defaults, without slashes at the end of the URL. Throws an `OptionError`
 * for a mistake.
 */
export function checkedOptions(given: unknown) {
  const { timeoutMs = 60_000, ...options } = checkOptions(given, RULES, {
    purpose: 'for connectMockServer',
    example: "{ url: 'http://127.0.0.1:4010' }",
  });
  return { ...options, url: String(urlOf(options.url)), timeoutMs };
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
