import { createMockServer } from '../../src/index.js';
import { createCertificate } from '../support/certificates.js';
import { testInChromium, USE_CHROMIUM } from '../support/chromium.js';
import { outputOf, runTests, TELL, writeProject, written } from '../support/runner.js';

const CUSTOMER = '65a000000000000000000001';
const CONTRACT = '65b000000000000000000001';

/** A page on its own origin that calls the service with any token. */
const IMPORTS = `
import { createServer } from 'node:http';
import { expect, test } from 'usage-billing-mock/playwright';
${TELL}
async function open(page) {
  await page.route('http://app.test/', (route) => route.fulfill({ body: 'app', contentType: 'text/html' }));
  await page.goto('http://app.test/');
}
const call = (page, path, { token = 'of-the-page', origin = 'https://api.example.com', ...init } = {}) =>
  page.evaluate(async ([url, init]) => {
    try {
      const response = await fetch(url, init);
      return { status: response.status, text: await response.text() };
    } catch ({ message }) {
      return { message };
    }
  }, [origin + path, { ...init, headers: { ...init.headers, ...(token && { Authorization: 'Bearer ' + token }) } }]);
`;

function projectOf(text: string, config = ''): string {
  return writeProject({
    'package.json': { type: 'module' },
    'app.js': APP,
    'playwright.config.js': `export default {
      globalSetup: './app.js',
      ${USE_CHROMIUM},
      ${config}
    };`,
    'a.spec.js': `${IMPORTS}\n${text}`,
  });
}

async function passes(text: string): Promise<string> {
  return outputOf(runTests('playwright', projectOf(text)));
}

/** A server in place of the real service, which records what reached it besides its page. */
const REAL_SERVICE = `
let origin, local;
const seen = [];
const real = createServer(({ method, url, headers }, response) => {
  if (url !== '/' && url !== '/favicon.ico') seen.push(method + ' ' + url + ' ' + headers.authorization);
  response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Allow-Headers', '*');
  response.setHeader('Content-Type', 'text/html').end('the real service');
});
test.beforeAll(async () => {
  await new Promise((resolve) => real.listen(0, '127.0.0.1', resolve));
  origin = 'http://127.0.0.1:' + real.address().port;
  // Of the same machine: Chromium asks its user before a public page may call a local server.
  local = origin.replace('127.0.0.1', 'localhost');
});
test.afterAll(() => real.close());
test.beforeEach(() => { seen.length = 0; });
`;

const INTERCEPTING = "test.use({ billingOptions: { intercept: 'https://api.example.com/**' } });";

describe('intercepted requests of the browser', () => {
  testInChromium('are answered by a mock of https', async () => {
    const server = JSON.stringify(createCertificate('IP:127.0.0.1'));
    await passes(`
      const intercept = 'https://api.example.com/**';
      test.use({ billingOptions: { intercept, server: ${server} }, ignoreHTTPSErrors: true });
      test('a page', async ({ page, billing }) => {
        expect(billing.url).toMatch(/^https:/);
        await open(page);
        expect((await call(page, '/customers/${CUSTOMER}')).status).toBe(200);
        await expect(billing).toHaveReceived('getCustomer');
      });`);
  });

  testInChromium('reach the account of the test, whatever token the page sends', async () => {
    await passes(`
      ${INTERCEPTING}
      test('a page', async ({ page, billing }) => {
        await open(page);
        await billing.account.customers.put({ id: 'c1', name: 'Initech' });
        const { status, text } = await call(page, '/customers/c1');
        expect([status, JSON.parse(text).customer.name]).toEqual([200, 'Initech']);
        const found = await call(page, '/measurements?limit=2', { token: billing.newToken() });
        expect(JSON.parse(found.text).measurements).toHaveLength(2);
        await expect(billing).not.toHaveReceived('listMeasurements');
        const body = JSON.stringify({ refs: ['é'] });
        const headers = { 'Content-Type': 'application/json' };
        await call(page, '/events/delete-by-refs', { method: 'POST', headers, body });
        await expect(billing).toHaveReceived('deleteEventsByRefs');
        expect((await billing.journal.list()).at(-1).body).toEqual({ refs: ['é'] });
        const { status: refused } = await call(page, '/customers/c1', { token: '' });
        expect(refused).toBe(401);
      });
      test('a page without the fixture', async ({ page }) => {
        await open(page);
        expect((await call(page, '/customers/${CUSTOMER}')).status).toBe(200);
        expect((await call(page, '/customers/c1')).status).toBe(404);
      });
      test('a context that the test opens', async ({ browser, billing }) => {
        const context = await browser.newContext();
        await billing.join(context);
        const page = await context.newPage();
        await open(page);
        expect((await call(page, '/customers/${CUSTOMER}')).status).toBe(200);
        await expect(billing).toHaveReceived('getCustomer');
        await context.close();
      });`);
  });

  testInChromium('fail as the mock lets them fail', async () => {
    await passes(`
      ${INTERCEPTING}
      const remove = (page) => call(page, '/contracts/${CONTRACT}', { method: 'DELETE' });
      for (const kind of ['reset', 'empty', 'truncated']) {
        test(kind, async ({ page, billing }) => {
          await open(page);
          await billing.account.faults.add({ operationId: 'deleteContract', kind, phase: 'after' });
          expect(await remove(page)).toEqual({ message: 'Failed to fetch' });
          expect((await remove(page)).status).toBe(404);
          await expect(billing).toHaveReceivedTimes('deleteContract', 2);
        });
      }
      test('status', async ({ page, billing }) => {
        await open(page);
        await billing.account.faults.add({ kind: 'status', status: 503 });
        expect((await remove(page)).status).toBe(503);
      });
      test('malformed-json', async ({ page, billing }) => {
        await open(page);
        await billing.account.faults.add({ kind: 'malformed-json' });
        const { status, text } = await remove(page);
        expect(status).toBe(200);
        expect(() => JSON.parse(text)).toThrow(SyntaxError);
      });
      test('a delay that the test does not wait for', async ({ page, billing }) => {
        await open(page);
        await billing.account.faults.add({ kind: 'delay', delayMs: 60_000 });
        void remove(page).catch(() => undefined);
        await expect.poll(() => billing.account.faults.list()).toMatchObject([{ fired: 1 }]);
      });`);
  });

  testInChromium('are those that bear a token of the test, if only those are wanted', async () => {
    await passes(`
      let origin;
      const seen = [];
      const other = createServer(({ method, url, headers }, response) => {
        seen.push(method + ' ' + url + ' ' + headers.authorization);
        response.setHeader('Access-Control-Allow-Origin', '*').end('another service');
      });
      test.beforeAll(async () => {
        await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
        origin = 'http://127.0.0.1:' + other.address().port;
      });
      test.afterAll(() => other.close());
      test.use({ billingOptions: { intercept: 'http://127.0.0.1:*/**', onlyTokenOfTest: true } });
      test('a page', async ({ page, billing }) => {
        // Of the same machine: Chromium asks its user before a public page may call a local server.
        await page.goto(origin.replace('127.0.0.1', 'localhost'));
        const own = await call(page, '/customers/${CUSTOMER}', { origin, token: billing.token });
        expect(JSON.parse(own.text).customer.id).toBe('${CUSTOMER}');
        const foreign = await call(page, '/customers/${CUSTOMER}', { origin, token: 'foreign' });
        expect(foreign).toEqual({ status: 200, text: 'another service' });
        expect((await call(page, '/', { origin, token: '' })).text).toBe('another service');
        expect(seen.slice(-2)).toEqual(['GET /customers/${CUSTOMER} Bearer foreign', 'GET / undefined']);
        await expect(billing).toHaveReceivedTimes('getCustomer', 1);
      });`);
  });

  testInChromium('follow redirects within the mock, and never reach the real service', async () => {
    await passes(`
      ${REAL_SERVICE}
      test.use({ billingOptions: { intercept: 'http://127.0.0.1:*/**' } });
      const TOKEN = 'REAL-PROD-TOKEN';
      const json = { 'Content-Type': 'application/json' };
      const redirect = (billing, method, path, status, Location) =>
        billing.account.stubs.add({ method, path, status, headers: { Location } });

      test('a GET', async ({ page, billing }) => {
        await page.goto(local);
        await redirect(billing, 'GET', '/old', 302, '/customers/${CUSTOMER}');
        const { text } = await call(page, '/old', { origin, token: TOKEN });
        expect(JSON.parse(text).customer.id).toBe('${CUSTOMER}');
        await expect(billing).toHaveReceivedTimes('getCustomer', 1);
        expect(seen).toEqual([]);
      });
      for (const status of [301, 302, 303]) {
        test('a POST that gets ' + status, async ({ page, billing }) => {
          await page.goto(local);
          await redirect(billing, 'POST', '/old', status, origin + '/measurements?limit=1');
          const sent = { origin, token: TOKEN, method: 'POST', headers: json, body: '{}' };
          expect(JSON.parse((await call(page, '/old', sent)).text).measurements).toHaveLength(1);
          const [request] = await billing.journal.list({ operationId: 'listMeasurements' });
          expect(request.headers).not.toHaveProperty('content-type');
          expect(request.headers).not.toHaveProperty('content-length');
          expect(seen).toEqual([]);
        });
      }
      for (const status of [307, 308]) {
        test('a POST that gets ' + status, async ({ page, billing }) => {
          await page.goto(local);
          const base = status === 307 ? origin : billing.url;
          await redirect(billing, 'POST', '/old', status, base + '/events/delete-by-refs');
          const body = JSON.stringify({ refs: ['é'] });
          await call(page, '/old', { origin, token: TOKEN, method: 'POST', headers: json, body });
          expect((await billing.journal.list()).at(-1).body).toEqual({ refs: ['é'] });
          expect(seen).toEqual([]);
        });
      }
      test.describe(() => {
        // Cookies of the mock's own host would be stored without the kit.
        const service = 'https://api.example.com';
        test.use({ billingOptions: { intercept: service + '/**' } });
        test('cookies on the way', async ({ page, billing }) => {
          const headers = { Location: '/account', 'Set-Cookie': 'session=s1' };
          await billing.server.stubs.add({ method: 'GET', path: '/sign-in', status: 302, headers });
          await billing.server.stubs.add({ method: 'GET', path: '/account', body: 'yours' });
          await page.goto(service + '/sign-in');
          expect(await page.textContent('body')).toContain('yours');
          expect(await page.context().cookies(service)).toMatchObject([{ name: 'session', value: 's1' }]);
        });
      });
      test('a circle', async ({ page, billing }) => {
        await page.goto(local);
        await redirect(billing, 'GET', '/old', 302, '/old');
        expect(await call(page, '/old', { origin })).toEqual({ message: 'Failed to fetch' });
        expect(await billing.journal.count()).toBe(21);
      });
      test.describe(() => {
        test.use({ billingOptions: { intercept: 'http://127.0.0.1:*/old' } });
        test('any path on the mock but its control plane', async ({ page, billing }) => {
          await page.goto(local);
          await redirect(billing, 'GET', '/old', 307, '/measurements?limit=1');
          expect((await call(page, '/old', { origin, token: TOKEN })).status).toBe(200);
          await billing.account.stubs.clear();
          await redirect(billing, 'GET', '/old', 307, billing.url + '/__control/account');
          expect(await call(page, '/old', { origin, token: TOKEN })).toEqual({ message: 'Failed to fetch' });
          expect(seen).toEqual([]);
        });
      });
      test('another origin', async ({ page, billing }) => {
        await page.goto(local);
        await redirect(billing, 'GET', '/old', 302, local + '/elsewhere');
        expect(await call(page, '/old', { origin, token: TOKEN })).toEqual({ message: 'Failed to fetch' });
        expect(seen).toEqual([]);
        const headers = { Location: local + '/elsewhere' };
        await billing.server.stubs.add({ method: 'GET', path: '/away', status: 307, headers });
        await expect(page.goto(origin + '/away')).rejects.toThrow('ERR_BLOCKED_BY_CLIENT');
        expect(seen).toEqual([]);
      });`).then((output) => {
      expect(output).toMatch(/The mock redirected GET .*\/old to http:\/\/localhost.*\/elsewhere/);
      expect(output).toMatch(/GET .*\/old was redirected more than 20 times/);
    });
  });

  testInChromium('are all that there is, if a proxy refuses the rest', async () => {
    await passes(`
      ${REAL_SERVICE}
      let app;
      test.beforeAll(async () => {
        app = createServer(({ url }, response) => {
          if (url === '/away') return response.writeHead(307, { Location: local + '/redirected' }).end();
          response.setHeader('Content-Type', 'text/html').end('the app');
        });
        await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve));
      });
      test.afterAll(() => app.close());
      test.use({
        billingOptions: { intercept: 'https://api.example.com/**' },
        proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>,127.0.0.1' },
      });
      test.beforeEach(async ({ page }) => {
        await page.goto('http://127.0.0.1:' + app.address().port);
        await expect(page.locator('body')).toHaveText('the app');
      });
      const failed = { message: 'Failed to fetch' };

      test('what is intercepted', async ({ page, billing }) => {
        expect((await call(page, '/customers/${CUSTOMER}')).status).toBe(200);
        await billing.account.faults.add({ kind: 'reset' });
        expect(await call(page, '/customers/${CUSTOMER}')).toEqual(failed);
        expect(seen).toEqual([]);
      });
      test('a fetch', async ({ page }) => {
        expect(await call(page, '/fetched', { origin: local })).toEqual(failed);
        expect(seen).toEqual([]);
      });
      test('a redirect of the app', async ({ page }) => {
        const away = page.goto('http://127.0.0.1:' + app.address().port + '/away');
        await expect(away).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
        expect(seen).toEqual([]);
      });
      test('a WebSocket', async ({ page }) => {
        const url = local.replace('http', 'ws') + '/socket';
        real.once('upgrade', () => seen.push('upgrade'));
        const event = await page.evaluate((to) => new Promise((resolve) => {
          const socket = new WebSocket(to);
          socket.onopen = socket.onerror = ({ type }) => resolve(type);
        }), url);
        expect([event, seen]).toEqual(['error', []]);
      });
      test('a request of the test', async ({ page, request }) => {
        for (const own of [request, page.request]) {
          await expect(own.get(local + '/requested')).rejects.toThrow('ECONNREFUSED');
        }
        expect(seen).toEqual([]);
      });`);
  });

  testInChromium('are those below the URL of a mock that runs already', async () => {
    const server = await createMockServer({ basePath: '/billing' });
    const url = await server.start();
    const token = 'of-the-page';
    await passes(`
      test.use({ baseURL: '${new URL(url).origin}', billingOptions: { url: '/billing' } });
      test('a page', async ({ page, billing }) => {
        await page.goto('/elsewhere');
        await billing.account.customers.put({ id: 'c1', name: 'Initech' });
        const own = await call(page, '/customers/c1', { origin: billing.url });
        expect(JSON.parse(own.text).customer.name).toBe('Initech');
        expect((await call(page, '/__control/account', { origin: billing.url })).status).toBe(200);
        await expect(billing).toHaveReceivedTimes('getCustomer', 1);
        // No server has an address where a response was intercepted.
        const addressOf = async (path) => (await page.goto(path)).serverAddr();
        expect(await addressOf('/billing/customers/c1')).toBe(null);
        expect(await addressOf('/billing-of-another-kind')).not.toBe(null);
      });
      test.describe('with tokens of the page', () => {
        test.use({ billingOptions: { url: '/billing', onlyTokenOfTest: true } });
        test('another page', async ({ page, billing }) => {
          await page.goto('/elsewhere');
          expect((await call(page, '/customers/c1', { origin: billing.url })).status).toBe(404);
          await expect(billing).not.toHaveReceived('getCustomer');
        });
      });`).finally(server.stop);
    expect(server.tokens()).toEqual([token]);
    expect(server.account(token).journal.count()).toBe(1);
  });

  testInChromium('of twelve pages in four workers never meet', async () => {
    const output = await outputOf(
      runTests(
        'playwright',
        projectOf(
          `${INTERCEPTING}
          for (let number = 0; number < 12; number += 1) {
            test('page ' + number, async ({ page, billing }) => {
              await open(page);
              await billing.account.customers.put({ id: 'c' + number, name: 'C' });
              const all = Array.from({ length: 12 }, (_, other) => call(page, '/customers/c' + other));
              const found = (await Promise.all(all)).flatMap(({ status }, other) => (status === 200 ? [other] : []));
              expect(found).toEqual([number]);
              expect(await billing.journal.count()).toBe(12);
              tell('worker', process.env.TEST_WORKER_INDEX);
            });
          }`,
          'fullyParallel: true, workers: 4',
        ),
      ),
    );
    expect(written(output, 'worker')).toHaveLength(12);
    expect(new Set(written(output, 'worker')).size).toBeGreaterThan(1);
  });
});

/** A server that renders the service's response, under the account that a request names. */
const APP = `
import { createServer } from 'node:http';
import { accountOf } from 'usage-billing-mock/playwright/app';

const app = createServer(async (request, response) => {
  try {
    const { url, token } = accountOf(request);
    const headers = { Authorization: 'Bearer ' + token };
    const found = await fetch(url + '/customers/c1', { headers });
    response.end('<h1>' + ((await found.json()).customer?.name ?? 'nobody') + '</h1>');
  } catch (error) {
    response.writeHead(500).end(error.message);
  }
});

export default async function setUp() {
  await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve));
  process.env.APP = 'http://127.0.0.1:' + app.address().port;
  return () => app.close();
}
`;

describe('pages that a server renders', () => {
  testInChromium('have the account of the test, and fail without one', async () => {
    const text = `
      const app = process.env.APP;
      for (const name of ['Initech', 'Globex']) {
        test.describe(name, () => {
          test.use({ billingOptions: { app: app + '/any/path' } });
          test('is shown', async ({ page, billing, request }) => {
            await billing.account.customers.put({ id: 'c1', name });
            await page.goto(app + '/customer');
            await expect(page.getByRole('heading')).toHaveText(name);
            await expect(billing).toHaveReceived('getCustomer', { customerId: 'c1' });
            const response = await request.get(app, { headers: billing.headers });
            expect(await response.text()).toContain(name);
          });
        });
      }
      test('nobody says whose it is', async ({ page, request }) => {
        const response = await page.goto(app + '/customer');
        expect(response.status()).toBe(500);
        expect(await response.text()).toContain("The request GET /customer names no test's account");
        expect((await request.get(app)).status()).toBe(500);
      });`;
    const folder = projectOf(text, 'fullyParallel: true, workers: 2');
    await outputOf(runTests('playwright', folder));
  });
});
