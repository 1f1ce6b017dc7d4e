import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { usageBillingMock } from 'usage-billing-mock/vite';
import { build, createServer, preview } from 'vite';

const root = import.meta.dirname;
const quiet = { root, logLevel: 'warn' };

/** What a page of the server gets. */
function callerOf({ resolvedUrls }) {
  const [url] = resolvedUrls.local;
  return (path, init) =>
    fetch(new URL(path, url), { headers: { Authorization: 'Bearer t' }, ...init });
}

async function deleteTwice(call) {
  const remove = () => call('/billing/contracts/65b000000000000000000001', { method: 'DELETE' });
  return [(await remove()).status, (await remove()).status];
}

test('the dev server answers, and starts anew when it restarts', async () => {
  const server = await createServer({ ...quiet, server: { port: 0 } });
  await server.listen();
  try {
    assert.deepEqual(await deleteTwice(callerOf(server)), [200, 404]);
    assert.match(await (await callerOf(server)('/customer.js')).text(), /fetchCustomer/);
    assert.match(await (await callerOf(server)('/billing/nothing')).text(), /There is no path/);
    const page = await callerOf(server)('/billing/nothing', { headers: { Accept: 'text/html' } });
    assert.match(await page.text(), /The app/);
    const lines = [];
    server.config.logger.info = (line) => lines.push(line);
    server.printUrls();
    assert.match(lines.join('\n'), /Billing.*\/billing.*dataset default.*\/billing\/__control/);
    await server.restart();
    assert.deepEqual(await deleteTwice(callerOf(server)), [200, 404]);
  } finally {
    await server.close();
  }
});

test('the preview answers, and nothing of the mock is built', async () => {
  await build(quiet);
  const files = readdirSync(join(root, 'dist/assets'));
  for (const file of files) {
    assert.doesNotMatch(
      readFileSync(join(root, 'dist/assets', file), 'utf8'),
      /usage-billing-mock/,
    );
  }
  const server = await preview({ ...quiet, preview: { port: 0 } });
  try {
    assert.deepEqual(await deleteTwice(callerOf(server)), [200, 404]);
  } finally {
    await new Promise((resolve) => server.httpServer.close(resolve));
  }
});

test('a page that imports the library is not built, with the reason', async () => {
  const app = mkdtempSync(join(root, 'page-'));
  const page =
    '<script type="module">import { createMockServer } from "usage-billing-mock"; createMockServer();</script>';
  writeFileSync(join(app, 'index.html'), page);
  const building = build({ root: app, configFile: false, logLevel: 'silent' });
  await assert
    .rejects(building, /usage-billing-mock runs in Node, not in a page/)
    .finally(() => rmSync(app, { recursive: true }));
});

test('a server that Vite is a middleware of answers what the mock does not have', async () => {
  const options = { middlewareMode: true, hmr: false, ws: false };
  const vite = await createServer({ ...quiet, appType: 'custom', server: options });
  const server = createHttpServer((request, response) =>
    vite.middlewares(request, response, () => response.end('rendered')),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = callerOf({ resolvedUrls: { local: [`http://127.0.0.1:${server.address().port}`] } });
  try {
    assert.deepEqual(await deleteTwice(call), [200, 404]);
    assert.equal(await (await call('/billing/nothing')).text(), 'rendered');
  } finally {
    server.closeAllConnections();
    server.close();
    await vite.close();
  }
});

test('a server that Vite is a middleware of gets its own origin printed, as in Storybook', async () => {
  const server = createHttpServer();
  const options = { middlewareMode: true, hmr: { server } };
  const vite = await createServer({ ...quiet, appType: 'custom', server: options });
  const lines = [];
  vite.config.logger.info = (line) => lines.push(line);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await new Promise(setImmediate);
  const page = `http://localhost:${server.address().port}/billing/__control/ui`;
  server.close();
  await vite.close();
  assert.ok(lines.join('\n').includes(page), lines.join('\n'));
});

test('a page is told of a fixture that has changed, and of one that is broken', async () => {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  const change = (text) => writeFileSync(join(app, 'mine.yaml'), text);
  change('customers: [{ id: c1, name: Initech }]');
  const plugins = [usageBillingMock({ path: '/billing', dataset: './mine.yaml', watch: true })];
  const options = { ...quiet, root: app, configFile: false, plugins, server: { port: 0 } };
  const server = await createServer(options);
  const told = [];
  const logged = [];
  server.ws.send = (payload) => told.push(payload);
  server.config.logger.error = (text) => logged.push(text);
  const next = async () => {
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    return told.shift();
  };
  await server.listen();
  try {
    change('customers: [{ id: c1, nmae: Initech }]');
    const { type, err } = await next();
    assert.equal(type, 'error');
    assert.match(err.message, /Unknown member 'nmae' in 'customers\/0'\. Did you mean 'name'\?/);
    assert.deepEqual(logged, [err.message]);
    change('customers: [{ id: c1, name: Initrode }]');
    assert.deepEqual(await next(), { type: 'full-reload' });
    const response = await callerOf(server)('/billing/customers/c1');
    assert.equal((await response.json()).customer.name, 'Initrode');
  } finally {
    await server.close();
  }
});
