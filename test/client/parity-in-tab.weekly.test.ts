import type * as Package from '../../src/browser.js';
import { createMockServer } from '../../src/index.js';
import type { FetchLike } from '../../src/mock/client/connect-mock-server.js';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { serveFiles } from '../support/static-files.js';
import { compareWithLibrary, OPTIONS, requestOf } from './compare-with-library.js';

describeInChromium('the client of a mock in a tab', () => {
  const open = usePages();
  let files: Awaited<ReturnType<typeof serveFiles>>;
  beforeAll(async () => {
    files = await serveFiles();
  });
  afterAll(() => files.close());

  test('does all that the library does, and refuses the same', async () => {
    const page = await open(files.url);
    await page.evaluate(async (options) => {
      const path = '/browser.mjs';
      const { createBrowserMock }: typeof Package = await import(path);
      const mock = await createBrowserMock(options as Package.BrowserMockOptions);
      mock.install({ url: '/' });
    }, OPTIONS);

    /** The fetch of the page, whose requests the mock answers. */
    const fetchInPage: FetchLike = async (url, { signal: _signal, ...init }) => {
      const { status, headers, text } = await page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          const { status, headers } = response;
          return { status, headers: [...headers], text: await response.text() };
        },
        [url, init] as const,
      );
      return { status, headers: new Headers(headers), text: async () => text };
    };
    const { url } = files;
    const { host } = new URL(files.url);
    const request = requestOf({
      fetch: async (path: string, init: object) => fetchInPage(url + path, init as never),
    } as unknown as Parameters<typeof requestOf>[0]);
    await compareWithLibrary(
      await createMockServer(OPTIONS),
      { url, fetch: fetchInPage },
      request,
      host,
    );
  });
});
