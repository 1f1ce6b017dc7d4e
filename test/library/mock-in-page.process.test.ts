import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type * as Package from '../../src/browser.js';
import type { Xhr } from '../../src/host/adapters/intercept-xhr.js';
import { createMockServer, type FaultRequest } from '../../src/index.js';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { codeIn, tableOf } from '../support/pages.js';
import { DIST, serveFiles } from '../support/static-files.js';

const CUSTOMER = '/customers/65a000000000000000000001';

/** The most bytes that a page loads for the dataset `default`, everything included. */
const MAX_BYTES_COMPRESSED = 350_000;

/** The globals that tests use in the page. */
interface InPage {
  readonly mock: Package.BrowserMock;
  readonly uninstall: () => void;
  readonly XMLHttpRequest: new () => { -readonly [Name in keyof Xhr]: Xhr[Name] };
  readonly document: {
    readonly head: { append(element: object): void };
    createElement(name: string): object;
  };
  readonly navigator: { sendBeacon(url: string, body?: string): boolean };
}

let files: Awaited<ReturnType<typeof serveFiles>>;
beforeAll(async () => {
  files = await serveFiles();
});
afterAll(() => files.close());

test('what a page loads for the default dataset is small', () => {
  const loaded = new Set(['browser.mjs']);
  for (const file of loaded) {
    const code = readFileSync(join(DIST, file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/^(?:import|export)\b.*"\.\/([^"]+)";$/gm)) {
      loaded.add(imported);
    }
  }
  const dataset = readdirSync(DIST).find((file) => /^browser-.*default.*\.mjs$/.test(file));
  const code = [...loaded, dataset ?? ''].map((file) => readFileSync(join(DIST, file)));
  const bytes = code.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES_COMPRESSED);
  expect(
    code.join('').match(/\bfrom ["']node:|\bprocess\.|\bBuffer\.|new Function|\beval\(/g),
  ).toBeNull();
});

describeInChromium('a mock in a page under a strict policy', () => {
  const open = usePages();

  /** Creates the mock in a page whose client calls the service at `/billing`. */
  const createIn = (page: Page, options: Omit<Package.BrowserMockOptions, 'routes'> = {}) =>
    page.evaluate(async (given) => {
      // What the browser itself calls may compile; what follows may not, and the page would say so.
      await new Promise((resolve) => setTimeout(resolve));
      const path = '/browser.mjs';
      const { createBrowserMock }: typeof Package = await import(path);
      const mock = await createBrowserMock(given);
      Object.assign(globalThis, { mock, uninstall: mock.install({ url: '/billing' }) });
    }, options);

  async function openMock(options: Package.BrowserMockOptions = {}): Promise<Page> {
    const page = await open(files.url);
    await createIn(page, options);
    return page;
  }

  /** What fetch makes of a call: up to where it fails. */
  const callIn = (page: Page, method: string, path: string, body?: string) =>
    page.evaluate(
      async ([method, path, body]) => {
        const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
        const seen: { status?: number; pieces: string[]; failure?: string } = { pieces: [] };
        try {
          const response = await fetch(`/billing${path}`, {
            method,
            headers,
            ...(body && { body }),
          });
          seen.status = response.status;
          const reader = response.body?.getReader();
          for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
            seen.pieces.push(new TextDecoder().decode(read.value));
          }
        } catch (error) {
          seen.failure = (error as Error).name;
        }
        return seen;
      },
      [method, path, body] as const,
    );

  test('it answers as the library does', async () => {
    const page = await openMock();
    const server = await createMockServer({ basePath: '/billing' });
    const calls: readonly (readonly [string, string, string?])[] = [
      ['GET', '/measurements?limit=2'],
      ['GET', '/measurements?limit=none&curso=x'],
      ['DELETE', '/contracts/65b000000000000000000001'],
      ['DELETE', '/contracts/65b000000000000000000001'],
      ['POST', '/events/delete-by-refs', '{"refs":["nothing"]}'],
      ['POST', '/events/delete-by-refs', '{"refs":[1]}'],
      ['PATCH', '/measurements'],
    ];
    server.account('t').clock.freeze('2030-01-01T00:00:00.000Z');
    await page.evaluate(() => {
      (globalThis as unknown as InPage).mock.account('t').clock.freeze('2030-01-01T00:00:00.000Z');
    });
    for (const [method, path, body] of calls) {
      const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
      const expected = await server.fetch(`/billing${path}`, {
        method,
        headers,
        ...(body && { body }),
      });
      const { status, pieces } = await callIn(page, method, path, body);
      const text = await expected.text();
      expect([path, status, pieces.join('')]).toEqual([path, expected.status, text]);
    }
    const seen = await page.evaluate(() => {
      const { mock, uninstall } = globalThis as unknown as InPage;
      uninstall();
      return {
        statuses: mock
          .account('t')
          .journal.list()
          .map(({ status }) => status),
        covered: Object.values(mock.coverage().counts).some((count) => count > 0),
        document: 'paths' in mock.openapi('t'),
      };
    });
    expect(seen).toEqual({
      statuses: [200, 400, 200, 404, 200, 400],
      covered: true,
      document: true,
    });
    // The server of files answers again.
    expect((await callIn(page, 'GET', '/measurements')).pieces.join('')).toContain('static');
  });

  const rows = tableOf('docs/faults.md', 'kind').map(
    ([kind = '', , example = '', , , inPage = '']) => ({
      ...{ kind, inPage },
      fault: JSON.parse(codeIn(example).join()) as FaultRequest,
    }),
  );

  test('each kind of fault is what docs/faults.md says of it', async () => {
    const page = await openMock();
    const whole = (await callIn(page, 'GET', CUSTOMER)).pieces.join('');
    for (const { kind, inPage, fault } of rows) {
      await page.evaluate(
        (given) => (globalThis as unknown as InPage).mock.account('t').faults.add(given),
        { ...fault, operationId: 'getCustomer', skip: 0, times: 1 } as FaultRequest,
      );
      const call = callIn(page, 'GET', CUSTOMER);
      if (fault.kind === 'hold') {
        const fired = () =>
          (globalThis as unknown as InPage).mock.account('t').faults.list().at(-1)?.fired;
        await page.waitForFunction(fired);
        await page.evaluate(() =>
          (globalThis as unknown as InPage).mock.account('t').faults.clear(),
        );
      }
      const { status, failure, pieces } = await call;
      const text = pieces.join('');
      const facts = [status && `status ${status}`, failure && `\`${failure}\``].filter(Boolean);
      const sent = 'body' in fault ? JSON.stringify(fault.body) : whole;
      expect([
        kind,
        inPage.split(', ').slice(0, facts.length).join(),
        inPage.includes('pieces'),
        inPage.includes('SyntaxError'),
        status !== 200 || (sent.startsWith(text) && text !== ''),
      ]).toEqual([
        kind,
        facts.join(',then '),
        pieces.length > 2,
        !failure && text === whole.slice(0, -1),
        true,
      ]);
      expect(await callIn(page, 'GET', CUSTOMER)).toEqual({ status: 200, pieces: [whole] });
    }
  });

  test('an abort after the header rejects whatever reads the body with its reason', async () => {
    const page = await openMock();
    const seen = await page.evaluate(async () => {
      const { mock } = globalThis as unknown as InPage;
      const headers = { Authorization: 'Bearer t' };
      const failures: string[] = [];
      const readings: ((response: Response) => Promise<unknown>)[] = [
        (response) => response.text(),
        (response) => response.json(),
        (response) => response.arrayBuffer(),
        (response) => response.blob(),
        (response) => response.clone().text(),
      ];
      for (const read of readings) {
        mock.account('t').faults.add({ kind: 'slow', delayMs: 2_000 });
        const controller = new AbortController();
        const { signal } = controller;
        const response = await fetch('/billing/measurements', { headers, signal });
        const reading = read(response);
        controller.abort();
        failures.push(await reading.then(String, ({ name }: Error) => name));
      }
      return failures;
    });
    expect(seen).toEqual(Array(5).fill('AbortError'));
  });

  test('XMLHttpRequest reaches it too, with its events, its types and its failures', async () => {
    const page = await openMock();
    const call = (given: object) =>
      page.evaluate(
        ({ method, url, type, body, timeout, aborts }) =>
          new Promise<object>((resolve) => {
            const events: string[] = [];
            const { XMLHttpRequest } = globalThis as unknown as InPage;
            const xhr = new XMLHttpRequest();
            xhr.addEventListener('readystatechange', () => {
              events.push(String(xhr.readyState));
            });
            for (const name of ['loadstart', 'load', 'error', 'abort', 'timeout'] as const) {
              xhr.addEventListener(name, () => void events.push(name));
            }
            xhr.addEventListener('loadend', () => {
              const { status, statusText } = xhr;
              const header = xhr.getResponseHeader('Content-Type');
              const content = type === 'json' ? xhr.response : xhr.responseText.slice(0, 9);
              resolve({ events, status, statusText, header, content });
            });
            xhr.open(method, url);
            xhr.responseType = type;
            xhr.timeout = timeout;
            xhr.setRequestHeader('Authorization', 'Bearer t');
            xhr.setRequestHeader('Content-Type', 'application/json');
            xhr.send(body);
            if (aborts) xhr.abort();
          }),
        {
          ...{ method: 'GET', url: '/billing/customers/65a000000000000000000001' },
          ...{ type: 'text' as const, body: null, timeout: 0, aborts: false },
          ...given,
        } as {
          method: string;
          url: string;
          type: 'text' | 'json';
          body: string | null;
          timeout: number;
          aborts: boolean;
        },
      );
    const json = 'application/json; charset=utf-8';
    const found = { status: 200, statusText: 'OK', header: json };
    const all = ['1', 'loadstart', '2', '3', '4', 'load'];
    const none = { status: 0, statusText: '', header: null, content: '' };
    expect(await call({})).toEqual({ ...found, events: all, content: '{"custome' });
    const posted = { method: 'POST', url: '/billing/events/delete-by-refs', type: 'json' };
    expect(await call({ ...posted, body: '{"refs":["nothing"]}' })).toEqual({
      ...found,
      events: all,
      content: { events: [] },
    });
    expect(await call({ url: '/elsewhere' })).toMatchObject({ status: 200, content: '<!doctype' });
    expect(await call({ aborts: true })).toEqual({
      ...none,
      events: ['1', 'loadstart', '4', 'abort'],
    });
    const failing = async (fault: FaultRequest, given = {}) => {
      await page.evaluate((one) => {
        (globalThis as unknown as InPage).mock.account('t').faults.add(one);
      }, fault);
      return call(given);
    };
    expect(await failing({ kind: 'reset' })).toEqual({
      ...none,
      events: ['1', 'loadstart', '4', 'error'],
    });
    expect(await failing({ kind: 'truncated' })).toEqual({
      ...none,
      events: ['1', 'loadstart', '2', '3', '4', 'error'],
    });
    expect(await failing({ kind: 'delay', delayMs: 60_000 }, { timeout: 20 })).toEqual({
      ...none,
      events: ['1', 'loadstart', '4', 'timeout'],
    });
  });

  test('XMLHttpRequest tells of uploads and of its end as that of the browser does', async () => {
    const page = await openMock();
    /** The events of calls, some of which a listener makes again or breaks off. */
    const eventsAt = (path: string) =>
      page.evaluate(async (url) => {
        const { XMLHttpRequest } = globalThis as unknown as InPage;
        const types = ['loadstart', 'progress', 'load', 'error', 'abort', 'loadend'];
        const eventsOf = async (method: string, acts: Readonly<Record<string, () => void>>) => {
          const events: string[] = [];
          const xhr = new XMLHttpRequest();
          const send = () => {
            xhr.open(method, url);
            xhr.setRequestHeader('Content-Type', 'application/json');
            xhr.send(method === 'POST' ? '{"refs":["nothing"]}' : null);
            acts.sent?.call(xhr);
          };
          const ended = new Promise<void>((resolve) => {
            const tell = (event: string) => {
              events.push(event);
              const again = `again at ${event}`;
              if (again in acts && events.filter((one) => one === event).length === 1) send();
              else if (event === 'loadend' && xhr.readyState !== 1) resolve();
            };
            for (const type of types) {
              xhr.addEventListener(type, () => tell(type));
              xhr.upload.addEventListener(type, (event) => {
                tell(`upload ${type} of ${'loaded' in event && event.loaded}`);
              });
            }
            xhr.addEventListener('readystatechange', () => tell(String(xhr.readyState)));
          });
          send();
          await ended;
          return events;
        };
        const none = () => undefined;
        return [
          await eventsOf('POST', {}),
          await eventsOf('GET', {}),
          await eventsOf('GET', { 'again at 4': none }),
          await eventsOf('GET', { 'again at load': none }),
          await eventsOf('POST', {
            sent(this: InstanceType<InPage['XMLHttpRequest']>) {
              this.abort();
            },
          }),
        ];
      }, path);
    const native = await eventsAt('/events/delete-by-refs');
    expect(native[0]).toContain('upload load of 20');
    expect(await eventsAt('/billing/events/delete-by-refs')).toEqual(native);
  });

  test('XMLHttpRequest refuses what that of the browser refuses', async () => {
    const page = await openMock();
    const refusedAt = (path: string) =>
      page.evaluate(async (url) => {
        const { XMLHttpRequest } = globalThis as unknown as InPage;
        const xhr = new XMLHttpRequest();
        const nameOf = (act: () => unknown) => {
          try {
            return act();
          } catch (error) {
            return (error as Error).name;
          }
        };
        const early = nameOf(() => xhr.send());
        xhr.open('GET', url);
        xhr.responseType = 'json';
        const ended = new Promise((resolve) => xhr.addEventListener('loadend', resolve));
        xhr.send();
        const again = nameOf(() => xhr.send());
        await ended;
        return [early, again, nameOf(() => xhr.responseText)];
      }, path);
    const INVALID = 'InvalidStateError';
    const all = [INVALID, INVALID, INVALID];
    expect(await refusedAt('/elsewhere')).toEqual(all);
    expect(await refusedAt('/billing/measurements')).toEqual(all);
  });

  test('mocks are uninstalled in any order, and leave what was there before', async () => {
    const page = await openMock();
    const seen = await page.evaluate(async () => {
      const { mock, uninstall, XMLHttpRequest, navigator } = globalThis as unknown as InPage;
      const now = () => [globalThis.fetch, Reflect.get(globalThis, 'XMLHttpRequest')];
      const [, installed] = [uninstall(), now()];
      const restored: boolean[] = [];
      for (const isFirstFirst of [true, false]) {
        const both = [mock.install({ url: '/a' }), mock.install({ url: '/b' })];
        if (!isFirstFirst) both.reverse();
        both[0]?.();
        const left = await fetch(isFirstFirst ? '/b/nothing' : '/a/nothing');
        restored.push(left.status === 404);
        both[1]?.();
        restored.push(now().every((one, index) => one === installed[index]));
      }
      return [restored, XMLHttpRequest !== installed[1], String(navigator.sendBeacon)];
    });
    expect(seen).toEqual([
      [true, true, true, true],
      true,
      expect.stringContaining('[native code]'),
    ]);
  });

  test('a tab that keeps nothing warns, and has the mock all the same', async () => {
    const page = await open(files.url);
    const warnings: string[] = [];
    page.on('console', (message) => void warnings.push(message.text()));
    const statuses: unknown[] = [];
    for (const breaking of ['storage', 'text']) {
      await page.evaluate((what) => {
        const tab = globalThis as unknown as { sessionStorage: Record<string, string> };
        if (what === 'text') {
          for (const key of Object.keys(tab.sessionStorage)) tab.sessionStorage[key] = '[{';
          return;
        }
        Object.defineProperty(globalThis, 'sessionStorage', {
          get() {
            throw new Error('The storage is denied.');
          },
        });
      }, breaking);
      await createIn(page, { persist: 'session' });
      statuses.push((await callIn(page, 'GET', '/measurements')).status);
      // The mock now has something to keep for the next page.
      await page.evaluate(() => (globalThis as unknown as InPage).mock.account('t').clock.freeze());
      await page.reload();
      await createIn(page, { persist: 'session' });
      await page.evaluate(() => (globalThis as unknown as InPage).mock.account('t').clock.freeze());
      await page.reload();
    }
    expect(statuses).toEqual([200, 200]);
    expect(warnings).toEqual([
      expect.stringContaining('that this tab has kept cannot be used: The storage is denied.'),
      expect.stringMatching(/that this tab has kept cannot be used: it is damaged/),
    ]);
  });

  test.each([
    ['/billing/', 'customers/nobody', 404],
    ['/elsewhere/', 'billing/customers/nobody', 200],
  ])('below <base href="%s">, %s is where the browser finds it', async (base, url, expected) => {
    const page = await openMock();
    const statuses = await page.evaluate(
      async ([href, called]) => {
        const { XMLHttpRequest, document } = globalThis as unknown as InPage;
        document.head.append(Object.assign(document.createElement('base'), { href }));
        const headers = { Authorization: 'Bearer t' };
        const { status } = await fetch(called, { headers });
        const xhr = new XMLHttpRequest();
        xhr.open('GET', called);
        xhr.setRequestHeader('Authorization', 'Bearer t');
        await new Promise((resolve) => {
          xhr.addEventListener('loadend', resolve);
          xhr.send();
        });
        return [status, xhr.status];
      },
      [base, url] as const,
    );
    expect(statuses).toEqual([expected, expected]);
  });

  test('warns once of beacons that pass it by', async () => {
    const page = await openMock();
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    const send = (url: string) =>
      page.evaluate((to) => (globalThis as unknown as InPage).navigator.sendBeacon(to, ''), url);
    expect(await send('/elsewhere')).toBe(true);
    expect(warnings).toEqual([]);
    for (const url of ['/billing/measurements', '/billing/measurements']) await send(url);
    expect(warnings).toEqual([expect.stringMatching(/sendBeacon.*network.*keepalive/)]);
    await page.evaluate(() => (globalThis as unknown as InPage).uninstall());
    await createIn(page);
    await send('/billing/measurements');
    expect(warnings).toHaveLength(2);
  });

  test('a dataset is loaded when it is named, and a compressed body is read', async () => {
    const page = await openMock();
    const isLoaded = () => files.called.some((url) => url.includes('large'));
    expect(isLoaded()).toBe(false);
    const status = await page.evaluate(async () => {
      const path = '/browser.mjs';
      const { createBrowserMock }: typeof Package = await import(path);
      const { fetch } = await createBrowserMock({
        dataset: 'large',
        accounts: { t: { dataset: 'empty' } },
      });
      const stream = new Blob(['{"refs":["a"]}']).stream();
      const body = await new Response(stream.pipeThrough(new CompressionStream('gzip'))).blob();
      const headers = {
        ...{ Authorization: 'Bearer t', 'Content-Type': 'application/json' },
        ...{ 'Content-Encoding': 'gzip' },
      };
      return (await fetch('/events/delete-by-refs', { method: 'POST', headers, body })).status;
    });
    expect(status).toBe(200);
    expect(isLoaded()).toBe(true);
  });

  test('routes answer there, without the header fields that browsers forbid', async () => {
    const page = await open(files.url);
    const seen = await page.evaluate(async () => {
      const path = '/browser.mjs';
      const { createBrowserMock }: typeof Package = await import(path);
      const mock = await createBrowserMock({
        dataset: 'empty',
        routes: async (request, { account }) => {
          const { length } = account.customers.list();
          const names = [...request.headers.keys()];
          const body = { url: request.url, names, text: await request.text(), length };
          return Response.json(body, { headers: { 'Set-Cookie': 'a=1', 'X-Own': 'yes' } });
        },
      });
      mock.install({ url: 'https://billing.example/v1' });
      const headers = { Authorization: 'Bearer t', Cookie: 'a=1' };
      const init = { method: 'POST', headers, body: 'sent' };
      const response = await fetch('https://billing.example/v1/me', init);
      return Object.assign(Object(await response.json()), { fields: [...response.headers.keys()] });
    });
    expect(seen).toMatchObject({ url: 'https://billing.example/v1/me', text: 'sent', length: 0 });
    expect(seen.names).toEqual(['authorization', 'content-type']);
    expect(seen.fields).toContain('x-own');
    expect(seen.fields).not.toContain('set-cookie');
  });

  test.each<[options: Package.BrowserMockOptions, statuses: number[]]>([
    [{}, [200]],
    [{ persist: 'session' }, [410, 503]],
  ])('with %j, deletes after reloads of the page get %j', async (options, statuses) => {
    const page = await openMock(options);
    await page.evaluate(() => {
      const { decisions, faults } = (globalThis as unknown as InPage).mock.account('t');
      decisions.change({ 'repeat-delete': 'gone' });
      faults.add({ kind: 'status', status: 503, skip: 2 });
    });
    for (const status of [200, ...statuses]) {
      const path = '/contracts/65b000000000000000000001';
      expect(await callIn(page, 'DELETE', path)).toHaveProperty('status', status);
      await page.reload();
      await createIn(page, options);
    }
  });

  test('a situation that was saved is the dataset of a page', async () => {
    const account = (await createMockServer()).account('t');
    account.customers.remove(CUSTOMER.split('/').at(-1) ?? '');
    account.faults.add({ kind: 'status', status: 503 });
    account.decisions.change({ 'unknown-identifier-status': 400 });
    const page = await openMock({ dataset: account.fixture() });
    expect(await callIn(page, 'GET', CUSTOMER)).toHaveProperty('status', 503);
    expect(await callIn(page, 'GET', CUSTOMER)).toHaveProperty('status', 400);
  });

  test('memory stays what it is, however many requests the page sends', async () => {
    const page = await openMock({ journalSize: 100 });
    const session = await page.context().newCDPSession(page);
    const heapAfter = async (requests: number) => {
      await page.evaluate(async (count) => {
        // One signal for all calls, as in an app.
        const { signal } = new AbortController();
        const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
        const body = '{"refs":["nothing"]}';
        for (let sent = 0; sent < count; sent += 2) {
          await (await fetch('/billing/measurements?limit=1', { headers, signal })).text();
          const init = { method: 'POST', headers, body, signal };
          await (await fetch('/billing/events/delete-by-refs', init)).text();
        }
      }, requests);
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const before = await heapAfter(1_000);
    expect((await heapAfter(10_000)) - before).toBeLessThan(2 * 2 ** 20);
  });
});
