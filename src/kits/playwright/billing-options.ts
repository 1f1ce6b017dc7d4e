import type { BrowserContext } from '@playwright/test';
import type { MockServerOptions } from '../../options/mock-server-options.js';
import { adviceOnName } from '../../values/did-you-mean.js';
import { shown } from '../../values/received-value.js';

/**
 * The option `billingOptions`, in Playwright's configuration or `test.use`.
 *
 * @example
 * test.use({ billingOptions: { intercept: 'https://api.example.com/**' } });
 */
export interface BillingOptions {
  /**
   * The browser requests that the mock answers: anything that `page.route` accepts. They reach the
   * test's account, whatever bearer token the page sends, with their path unchanged. By default, requests
   * below `url`, if you set it.
   */
  readonly intercept?: Parameters<BrowserContext['route']>[0];
  /** True to intercept only requests that bear a token of the test; others continue. */
  readonly onlyTokenOfTest?: boolean;
  /**
   * True to refuse requests that are not intercepted, except to the hosts of the mock, `app` and
   * Playwright's `baseURL`: redirects, WebSockets and the test's own requests too. It replaces
   * Playwright's option `proxy`.
   */
  readonly onlyMock?: boolean;
  /**
   * The URL of the app's own server, if it calls the service too: the browser sends it a cookie from
   * which `accountOf` from `usage-billing-mock/playwright/app` reads the test's account.
   */
  readonly app?: string;
  /**
   * Gives the worker its own mock with these server options, which may be functions such as `routes`.
   * Tests that use the same object share it.
   */
  readonly server?: MockServerOptions;
  /**
   * The URL of a mock that is already running; or its path on the origin of Playwright's `baseURL`,
   * such as `/billing` for the Vite plugin.
   */
  readonly url?: string;
  /** The `X-Control-Token` that this mock requires, if any. */
  readonly controlToken?: string;
}

/** What each option needs beside it: one of these, unless there are none. */
const OPTIONS: Readonly<Record<keyof BillingOptions, readonly (keyof BillingOptions)[]>> = {
  intercept: [],
  onlyTokenOfTest: ['intercept', 'url'],
  onlyMock: [],
  app: [],
  server: [],
  url: [],
  controlToken: ['url'],
};

/**
 * The options with the complete `url`. Throws for an unknown option, for one without the option that
 * it belongs to, and for a path without an origin.
 */
export function completeOptions(options: unknown, baseURL: string | undefined): BillingOptions {
  refuseWrongOptions(options);
  const { url } = options;
  if (url === undefined) return options;
  if (URL.canParse(url, baseURL)) return { ...options, url: new URL(url, baseURL).href };
  throw new TypeError(
    `The option 'url' in billingOptions is ${shown(url)}; expected the URL of a mock, such as 'http://127.0.0.1:4010', or a path together with Playwright's option 'baseURL'.`,
  );
}

function refuseWrongOptions(options: unknown): asserts options is BillingOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      `billingOptions is ${shown(options)}; expected an object such as { intercept: 'https://api.example.com/**' }.`,
    );
  }
  if ('server' in options && 'url' in options) {
    throw new TypeError(
      "billingOptions has 'server' and 'url'; expected only one of them: a mock for this worker, or one that is already running.",
    );
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new TypeError(
        `Unknown option '${name}' in billingOptions. ${adviceOnName(name, Object.keys(OPTIONS))} Server options belong in 'server', or in createGlobalSetup from 'usage-billing-mock/playwright/global-setup'.`,
      );
    }
    if (name === 'app') refuseWrongApp(value);
    const needed = OPTIONS[name as keyof BillingOptions];
    if (needed.length > 0 && !needed.some((other) => Object.hasOwn(options, other))) {
      throw new TypeError(
        `billingOptions has '${name}' without ${needed.map((other) => `'${other}'`).join(' or ')}; expected both, or neither.`,
      );
    }
  }
}

function refuseWrongApp(url: unknown): void {
  if (URL.canParse(String(url)) && /^https?:/.test(String(url))) return;
  throw new TypeError(
    `The option 'app' in billingOptions is ${shown(url)}; expected the URL of the app's server, such as 'http://localhost:3000'.`,
  );
}
