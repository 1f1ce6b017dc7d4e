import type { Fixture } from '../datasets/fixture/fixture.js';
import type { Below } from '../doors/intercept-page.js';
import type { MockOptions } from '../options/mock-server-options.js';
import type { Mock } from './mock.js';

/**
 * The options of a mock in a page: the library options that need no server.
 *
 * @example
 * const options: BrowserMockOptions = { dataset: 'edge-cases', latency: '20..200' };
 */
export interface BrowserMockOptions extends MockOptions {
  /** The name of a dataset, or the members of a fixture; `default` if it is left out. */
  readonly dataset?: string | Fixture;
  /** `session` keeps the changes in accounts until the tab is closed: a reload does not lose them. */
  readonly persist?: 'session';
}

/**
 * A mock that runs in the page, without a server.
 *
 * @example
 * const mock: BrowserMock = await createBrowserMock();
 * const uninstall = mock.install({ url: 'https://billing.example/v1' });
 */
export interface BrowserMock extends Mock {
  /**
   * Answers requests by `fetch` and `XMLHttpRequest` to this URL and below; all others go where they
   * went before. Returns a function that undoes this.
   */
  install(at: Below): () => void;
  /**
   * A resolver for MSW: `http.all('https://billing.example/v1/*', mock.resolver({ url:
   * 'https://billing.example/v1' }))`.
   */
  resolver(at: Below): (info: { readonly request: Request }) => Promise<Response | undefined>;
}
