import type { BrowserContext } from '@playwright/test';
import {
  checkOptions,
  invalidValue,
  OptionError,
  type OptionRules,
} from '../../core/errors/option-error.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { isObject } from '../../core/values/json-value.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { SWITCH } from '../../host/options/option-kinds.js';

/**
 * The option `billingOptions`, in Playwright's configuration or `test.use`.
 *
 * @example
 * test.use({ billingOptions: { intercept: 'https://api.example.com/**' } });
 */
export interface BillingOptions {
  /**
   * The browser requests that the mock answers: anything that `page.route` accepts. Their paths
   * stay the same. The test's token replaces the page's, unless that came from
   * `billing.newToken()`. If you set `url`, the default is every request below it, except those to
   * the control plane.
   */
  readonly intercept?: Parameters<BrowserContext['route']>[0];
  /** True to intercept only requests with a token of the test, and preflights; others continue. */
  readonly onlyTokenOfTest?: boolean;
  /**
   * The URL of the app's own server, if that calls the service too. The browser sends it a cookie,
   * from which `accountOf` in `usage-billing-mock/playwright/app` reads the test's account.
   */
  readonly app?: string;
  /**
   * Gives the worker its own mock with these server options, which may include functions such as
   * `routes`. Tests that use the same object share a mock.
   */
  readonly server?: MockServerOptions;
  /**
   * The URL of a mock that is already running, or its path on the origin of Playwright's `baseURL`,
   * such as `/billing` with the Vite plugin.
   */
  readonly url?: string;
  /** The `X-Control-Token` that the mock at `url` requires, if any. */
  readonly controlToken?: string;
}

const RULES: OptionRules<BillingOptions> = {
  intercept: {
    expected: 'what page.route accepts: a glob, a regular expression, a predicate or a URLPattern',
    isValid: (value) => ['string', 'object', 'function'].includes(typeof value) && value !== null,
  },
  onlyTokenOfTest: SWITCH,
  app: {
    expected: "the URL of the app's server, such as 'http://localhost:3000'",
    isValid: (value) => URL.canParse(String(value)) && /^https?:/.test(String(value)),
  },
  server: { expected: 'the options of a mock', isValid: isObject },
  url: {
    expected: "the URL of a mock, such as 'http://127.0.0.1:4010', or a path",
    isValid: (value) => typeof value === 'string',
  },
  controlToken: {
    expected: 'a string',
    isValid: (value) => typeof value === 'string',
    isSecret: true,
  },
};

/** Options that need one of several others. */
const NEEDED: Readonly<Record<string, readonly (keyof BillingOptions)[]>> = {
  onlyTokenOfTest: ['intercept', 'url'],
  controlToken: ['url'],
};

/**
 * Makes `url` absolute. Throws an `OptionError` for an unknown option, a wrong value, a wrong
 * combination, or a path without an origin.
 */
export function completeOptions(given: unknown, baseURL: string | undefined): BillingOptions {
  const options = checkOptions<BillingOptions>(given, RULES, {
    purpose: 'in billingOptions',
    example: "{ intercept: 'https://api.example.com/**' }",
    adviceOnName: (name, known) => didYouMean(name, known) ?? SERVER_OPTIONS,
  });
  refuseCombination(options);
  const { url } = options;
  if (url === undefined) return options;
  if (URL.canParse(url, baseURL)) return { ...options, url: new URL(url, baseURL).href };
  throw invalidValue("The option 'url' in billingOptions", url, {
    expected: `${RULES.url.expected} together with Playwright's option 'baseURL'`,
  });
}

const SERVER_OPTIONS = "Server options belong in 'server'.";

function refuseCombination(options: BillingOptions): void {
  if ('server' in options && 'url' in options) {
    throw new OptionError(
      "billingOptions has 'server' and 'url'; expected only one of them: a mock for this worker, or one that is already running.",
    );
  }
  for (const [name, needed] of Object.entries(NEEDED)) {
    if (!(name in options) || needed.some((other) => other in options)) continue;
    const others = needed.map((other) => `'${other}'`).join(' or ');
    throw new OptionError(
      `billingOptions has '${name}' without ${others}, which it needs. Add ${others}, or leave out '${name}'.`,
    );
  }
}
