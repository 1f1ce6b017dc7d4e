import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createMockServer, type MockServer } from '../../src/index.js';
import { ARGUMENTS, CHROMIUM, describeInChromium } from '../support/chromium.js';

/** What a page says of credentials when it calls. */
type Credentials = 'include' | 'omit';

interface Call {
  readonly method?: string;
  readonly credentials: Credentials;
  readonly headers?: Readonly<Record<string, string>>;
}

describeInChromium('a page on another origin', () => {
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>A page</title>');
  });
  let browser: Browser;
  let page: Page;
  const servers: MockServer[] = [];

  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await browser?.close();
    site.close();
    for (const server of servers) await server.stop();
  });

  async function serve(options: Parameters<typeof createMockServer>[0] = {}): Promise<MockServer> {
    const server = await createMockServer(options);
    servers.push(server);
    await server.start();
    return server;
  }

  /** What the page reads, as its own `fetch` gives it. */
  const fetchInPage = (url: string, init: Call) =>
    page.evaluate(
      async ([called, given]) => {
        const headers = { Authorization: 'Bearer page-token', ...given.headers };
        try {
          const response = await fetch(called, { ...given, headers });
          const readable = Object.fromEntries(response.headers);
          return { status: response.status, readable, body: await response.text() };
        } catch (error) {
          return { status: 0, readable: {} as Record<string, string>, body: String(error) };
        }
      },
      [url, init] as const,
    );

  test('calls operations and stubs, and reads refusals, with credentials', async () => {
    const server = await serve();
    const contract = '/contracts/65b000000000000000000001';
    server.stubs.add({ method: 'PUT', path: '/me', headers: { 'X-Own': 'yes' } });
    const calls = [
      ['GET', '/measurements', 200],
      ['DELETE', contract, 200],
      ['DELETE', contract, 404],
      ['PATCH', '/invoices', 404],
      ['PUT', '/measurements', 405],
      ['PUT', '/me', 200],
    ] as const;
    for (const [method, path, status] of calls) {
      const response = await fetchInPage(server.url + path, { method, credentials: 'include' });
      expect([method, path, response.status]).toEqual([method, path, status]);
    }
  });

  test('reads the header fields of stubs and of respond faults', async () => {
    const server = await serve();
    server.stubs.add({ method: 'GET', path: '/me', headers: { 'X-Own': 'a stub' } });
    server
      .account('page-token')
      .faults.add({ kind: 'respond', status: 418, headers: { 'X-Own': 'a fault' } });
    const read = async (path: string) => {
      const { readable } = await fetchInPage(server.url + path, { credentials: 'include' });
      return readable['x-own'];
    };
    expect([await read('/me'), await read('/measurements')]).toEqual(['a stub', 'a fault']);
  });

  test('sends no credentials to routes, which may read cookies', async () => {
    const reached: string[] = [];
    const server = await serve({
      routes: ({ method, url }) => {
        reached.push(`${method} ${new URL(url).pathname}`);
        return new Response('from routes');
      },
    });
    server.stubs.add({ method: 'POST', path: '/both' });
    const statusOf = async (method: string, path: string, credentials: Credentials) =>
      (await fetchInPage(server.url + path, { method, credentials })).status;
    expect(await statusOf('PUT', '/app', 'include')).toBe(0);
    expect(await statusOf('PUT', '/both', 'include')).toBe(0);
    expect(reached).toEqual([]);
    expect(await statusOf('PUT', '/app', 'omit')).toBe(200);
    expect(await statusOf('POST', '/both', 'include')).toBe(200);
    expect(await statusOf('GET', '/measurements', 'include')).toBe(200);
    expect(reached).toEqual(['PUT /app']);
  });

  test('sends credentials from a sandboxed frame too, whose origin is null', async () => {
    const { url } = await serve();
    const frame = `<script>
      fetch('${url}/measurements', { credentials: 'include', headers: { Authorization: 'Bearer framed' } })
        .then(({ status }) => status, String)
        .then((said) => parent.postMessage(said, '*'));
    </script>`;
    const status = await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data, origin }) => resolve([origin, data]), { once: true });
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.srcdoc = ${JSON.stringify(frame).replace('</', '<\\/')};
      document.body.append(frame);
    })`);
    expect(status).toEqual(['null', 200]);
  });

  test('reads why a request that never reached the service was refused', async () => {
    const server = await serve();
    const headers = { 'X-Long': 'x'.repeat(20_000) };
    // As a simple request: the preflight does not have the long value.
    const url = `${server.url}/measurements?text=${'x'.repeat(20_000)}`;
    const { status, refusal } = await page.evaluate(async (called) => {
      const response = await fetch(called);
      return { status: response.status, refusal: (await response.json()) as { status: number } };
    }, url);
    expect([status, refusal.status]).toEqual([431, 431]);
    const { status: sent } = await fetchInPage(`${server.url}/measurements`, {
      credentials: 'omit',
      headers,
    });
    expect(sent).toBe(431);
  });
});

test('what cannot be parsed is refused with the fields that let a page read it', async () => {
  const server = await createMockServer();
  await server.start();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.end('G@T / HTTP/1.1\r\n\r\n');
  let text = '';
  for await (const bytes of socket) text += bytes;
  await server.stop();
  expect(text).toMatch(/^HTTP\/1.1 400 /);
  expect(text).toContain('Access-Control-Allow-Origin: *\r\n');
});
