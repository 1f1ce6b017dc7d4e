import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseCoverage } from '../../src/mock/coverage/coverage.js';
import { createCertificate } from '../support/certificates.js';
import type { Command } from '../support/command.js';
import { newFolder } from '../support/fixture.js';
import { run } from '../support/programs.js';
import { json, useServices } from '../support/services.js';
import { sendRaw } from '../support/socket.js';
import { configOf, createViteApp, runVite, startVite } from '../support/vite.js';

const CONTRACT = '/billing/contracts/65b000000000000000000001';
const FAULTS = '/billing/__control/faults';
const AUTHORIZED = { Authorization: 'Bearer t' };
const PAGE = { headers: { Accept: 'text/html,*/*' } };
const DELETE = { method: 'DELETE' };

function appWith(options: object = {}, members: object = {}): string {
  return createViteApp({ 'vite.config.mjs': configOf({ path: '/billing', ...options }, members) });
}

describe('vite dev', () => {
  test('writes what the pages have touched of the contract', async () => {
    const coverage = join(newFolder(), 'billing.json');
    const { call } = await startVite(appWith({ coverage }));
    await call('/billing/measurements');
    const asked = await (await call('/billing/__control/coverage')).json();
    expect(parseCoverage(readFileSync(coverage, 'utf8'))).toEqual(asked);
  });

  const started = startVite(appWith());

  test('answers below the path at the origin of the pages', async () => {
    const { call } = await started;
    expect(await (await call('/billing/measurements')).json()).toHaveProperty('total', 6476);
    const head = await call('/billing/measurements', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await (await call('/', PAGE)).text()).toContain('<title>The app</title>');
    expect(await (await call('/main.js')).text()).toContain('document.title');
  });

  test('answers over HTTP/1.1 those who offer HTTP/2 without TLS', async () => {
    const { url } = await started;
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';
    const body = '{"refs":["none"]}';
    const head = `Host: localhost\r\nAuthorization: Bearer h2c\r\nContent-Length: ${body.length}`;
    const { status, body: received } = await sendRaw(
      url,
      `POST /billing/events/delete-by-refs HTTP/1.1\r\n${offer}\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}` +
        'GET /billing/__control/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(status).toBe(200);
    expect(received).toContain('{"events":[]');
    expect(received).toContain('"status":"ok"');
  });

  test('refuses a method that a path does not have', async () => {
    const { call } = await started;
    const response = await call('/billing/measurements', { method: 'PUT' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test.each([
    ['GET', '/billing/costumers/c1', "Did you mean '/billing/customers/c1'?"],
    ['GET', '/billing//measurements', "Did you mean '/billing/measurements'?"],
    ['POST', '/billing/invoices', 'There is no path'],
  ])('explains why nobody has %s %s', async (method, path, sentence) => {
    const { call } = await started;
    const response = await call(path, { method });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining(sentence),
    ]);
  });

  test('sends its page to a browser that opens a route of the app below the path', async () => {
    const { call } = await started;
    expect(await (await call('/billing/invoices', PAGE)).text()).toContain('The app');
  });

  test('lets pages of its own origin use the control plane, and no others', async () => {
    const { call, url } = await started;
    const from = (origin: string) => call(FAULTS, { headers: { ...AUTHORIZED, Origin: origin } });
    expect((await from(url)).status).toBe(200);
    expect((await from('http://localhost:1')).status).toBe(403);
  });

  test('lets pages of any origin call the service, with credentials, and leaves the rest to Vite', async () => {
    const { call } = await started;
    const Origin = 'https://app.example';
    const preflight = { Origin, 'Access-Control-Request-Method': 'DELETE' };
    const calls: [string, RequestInit][] = [
      [CONTRACT, { method: 'OPTIONS', headers: preflight }],
      ['/billing/measurements', { headers: { ...AUTHORIZED, Origin } }],
    ];
    for (const [path, init] of calls) {
      const { headers } = await call(path, init);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
    }
    const allowedByVite = async (origin: string) =>
      (await call('/main.js', { headers: { Origin: origin } })).headers.get(
        'Access-Control-Allow-Origin',
      );
    expect(await allowedByVite(Origin)).toBeNull();
    expect(await allowedByVite('http://localhost:1')).toBe('http://localhost:1');
  });

  test('prints path, dataset and control plane beside its URLs', async () => {
    const { command, url } = await started;
    expect(command.stdout()).toMatch(
      `Billing: ${url}/billing (dataset default, control plane ${url}/billing/__control)\n`,
    );
    await command.printed('Page');
    expect(command.stdout()).toContain(`Page: ${url}/billing/__control/ui\n`);
  });
});

describe('vite dev, when files change,', () => {
  const root = appWith();
  const started = startVite(root);

  /** Writes a file until Vite prints the text, since nobody knows when Vite begins to watch. */
  async function change(
    vite: { readonly root: string; readonly command: Command },
    name: string,
    text: string,
    printed: string,
  ): Promise<void> {
    const write = () => writeFileSync(join(vite.root, name), text);
    const writing = setInterval(write, 3_000);
    write();
    await vite.command.printed(printed).finally(() => clearInterval(writing));
  }

  /** Sends again while Vite restarts after another write, which closes its connections. */
  async function untilItListens(send: () => Promise<Response>): Promise<Response> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if ((error as Error).message !== 'fetch failed') throw error;
        await setImmediate();
      }
    }
  }

  test('keeps the state when a module changes, and starts anew with its configuration', async () => {
    const { call, command } = await started;
    const vite = { root, command };
    await call('/main.js');
    expect((await call(CONTRACT, DELETE)).status).toBe(200);
    await change(vite, 'main.js', "document.title = 'two'; import.meta.hot?.accept();", '/main.js');
    expect(await (await call('/main.js')).text()).toContain('two');
    expect((await call(CONTRACT, DELETE)).status).toBe(404);
    const config = configOf({ path: '/billing', decisions: { 'success-status': 202 } });
    await change(vite, 'vite.config.mjs', config, 'server restarted.');
    const response = await untilItListens(() => call(CONTRACT, DELETE));
    expect(response.status).toBe(202);
  });

  test('keeps in `stateFile` what was deleted right before its configuration changed', async () => {
    const options = { path: '/billing', stateFile: join(newFolder(), 'state.json') };
    const root = appWith(options);
    const { call, command } = await startVite(root);
    expect((await call(CONTRACT, DELETE)).status).toBe(200);
    const config = configOf({ ...options, decisions: { 'repeat-delete': 'gone' } });
    await change({ root, command }, 'vite.config.mjs', config, 'server restarted.');
    const response = await untilItListens(() => call(CONTRACT, DELETE));
    expect(response.status).toBe(410);
  });
});

describe('vite dev, when a watched fixture changes,', () => {
  test('reads it from its root, and prints what is wrong in it', async () => {
    const root = appWith({ dataset: './mine.yaml', watch: true });
    const change = (text: string) => writeFileSync(join(root, 'mine.yaml'), text);
    change('customers: [{ id: c1, name: Initech }]');
    const { call, command } = await startVite(root);
    const nameOf = async () => {
      const { customer } = Object(await (await call('/billing/customers/c1')).json());
      return customer?.name;
    };
    expect(await nameOf()).toBe('Initech');
    change('customers: [{ id: c1, nmae: Initrode }]');
    await command.logged('cannot be used; the earlier records stay');
    expect(command.stdout() + command.stderr()).toContain("Unknown member 'nmae' in 'customers/0'");
    expect(await nameOf()).toBe('Initech');
    change('customers: [{ id: c1, name: Initrode }]');
    await command.printed('mine.yaml has changed and was reloaded.');
    expect(await nameOf()).toBe('Initrode');
  });

  test('says where it has looked for it', async () => {
    const root = appWith({ dataset: './mine.yaml' });
    const command = runVite(root, 'dev', '--port', '0');
    expect(await command.ended()).toBe(1);
    expect(command.stderr()).toContain(`There is no file '${join(root, 'mine.yaml')}'.`);
  });
});

describe('vite dev with a proxy', () => {
  const startService = useServices();

  test('answers what the mock has, and stubs, and passes on the rest', async () => {
    const service = await startService(json(200, { from: 'the service' }));
    const stub = { method: 'GET', path: '/me', body: { from: 'a stub' } };
    const server = { proxy: { '/billing': service.url } };
    const { call } = await startVite(appWith({ stubs: [stub] }, { server }));
    expect(await (await call('/billing/measurements')).json()).toHaveProperty('measurements');
    expect(await (await call('/billing/me')).json()).toEqual({ from: 'a stub' });
    expect((await call('/billing/me', { method: 'POST' })).status).toBe(405);
    const post = { method: 'POST', body: '{}' };
    expect(await (await call('/billing/invoices', post)).json()).toEqual({ from: 'the service' });
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /billing/invoices',
    ]);
  });
});

describe('vite dev with a base', () => {
  test('answers at the root of its origin', async () => {
    const { call } = await startVite(appWith({}, { base: '/app/' }));
    expect((await call('/billing/measurements')).status).toBe(200);
    expect((await call('/billing/nothing')).status).toBe(404);
    expect(await (await call('/app/', PAGE)).text()).toContain('The app');
  });
});

const [other] = Object.values(networkInterfaces()).flatMap((addresses = []) =>
  addresses.filter(({ family, internal }) => family === 'IPv4' && !internal),
);

describe('vite --host', () => {
  const HOST = ['dev', '--host', '0.0.0.0'];
  const through = (url: string) => url.replace('localhost', other?.address ?? '');
  const status = async (url: string, headers = {}) =>
    (await fetch(url + FAULTS, { headers: { ...AUTHORIZED, ...headers } })).status;

  (other ? test : test.skip)('requires the token that it prints of other machines', async () => {
    const { command, url } = await startVite(appWith(), ...HOST);
    await command.printed('X-Control-Token');
    const [, token = ''] = /X-Control-Token: (\S+)/.exec(command.stdout()) ?? [];
    expect(await status(through(url))).toBe(403);
    expect(await status(through(url), { 'X-Control-Token': 'guessed' })).toBe(403);
    expect(await status(through(url), { 'X-Control-Token': token })).toBe(200);
    expect(await status(url)).toBe(200);
    expect(await status(url, { 'X-Control-Token': 'guessed' })).toBe(403);
    expect(await status(url, { Origin: 'http://evil.example' })).toBe(403);
  });

  test('requires a token that is given of everybody', async () => {
    const { command, url } = await startVite(appWith({ controlToken: 'given' }), ...HOST);
    expect(command.stdout()).not.toContain('X-Control-Token');
    expect(await status(url)).toBe(403);
    expect(await status(url, { 'X-Control-Token': 'given' })).toBe(200);
  });
});

describe('vite dev over https', () => {
  test('answers requests of HTTP/2, and of its own origin to the control plane', async () => {
    const { tlsCert: cert, tlsKey: key } = createCertificate('DNS:localhost');
    const { url } = await startVite(appWith({}, { server: { https: { cert, key } } }));
    const session = connect(url, { ca: readFileSync(cert) });
    const call = async (method: string, path: string, body = '') => {
      const own = { ':method': method, ':path': path, origin: url, authorization: 'Bearer t' };
      const fields = { ...own, ...(body !== '' && { 'content-type': 'application/json' }) };
      const stream = session.request(fields, { endStream: body === '' });
      if (body !== '') stream.end(body);
      return JSON.parse(Buffer.concat(await stream.toArray()).toString());
    };
    const refs = JSON.stringify({ refs: ['acme-2026-03-31-001'] });
    expect(await call('POST', '/billing/events/delete-by-refs', refs)).toHaveProperty('events');
    expect(await call('GET', FAULTS)).toEqual({ faults: [] });
    session.close();
  });
});

test('mistakes in the options keep the server from starting, each with a sentence', async () => {
  const mistakes = [
    [{ path: 'billing' }, `The option 'path' for usageBillingMock() is "billing"; expected a path`],
    [{ path: '/billing', datset: 'x' }, "'datset' for usageBillingMock(). Did you mean 'dataset'?"],
    [null, 'The options for usageBillingMock() are null; expected an object such as { path:'],
    [{ path: '/billing', dataset: 'nowhere' }, "The dataset is 'nowhere'; expected default"],
    [
      { path: '/billing', port: 1 },
      "The mock uses Vite's server: set Vite's option server.port instead.",
    ],
  ] as const;
  const code = `
    import { usageBillingMock } from 'usage-billing-mock/vite';
    import { createServer } from 'vite';
    for (const options of ${JSON.stringify(mistakes.map(([options]) => options))}) {
      const plugins = [usageBillingMock(options)];
      await createServer({ configFile: false, plugins }).then(
        () => console.log('started'),
        ({ message }) => console.log(message.replaceAll('\\n', ' ')),
      );
    }
    process.exit();
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout.split('\n')).toEqual([
    ...mistakes.map(([, sentence]) => expect.stringContaining(sentence)),
    '',
  ]);
});

describe('usage-billing-mock/vite', () => {
  test('loads nothing else until a server is configured', () => {
    const code = `
      require('usage-billing-mock/vite');
      console.log(Object.keys(require.cache).map((file) => require('node:path').basename(file)));
    `;
    const { stdout } = spawnSync(process.execPath, ['--input-type=commonjs', '--eval', code]);
    expect(stdout.toString()).toBe("[ 'vite.cjs' ]\n");
  });
});

test('the library is found where an environment of tests resolves it as a browser does', async () => {
  const code = "console.log(typeof require('usage-billing-mock').createMockServer)";
  const { stdout } = await run(process.execPath, ['--conditions=browser', '--eval', code]);
  expect(stdout).toBe('function\n');
});

describe('vite build and vite preview', () => {
  /** Every built file with its text. */
  const built = (root: string) =>
    readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.\w+$/.test(file))
      .map((file) => [file, readFileSync(join(root, 'dist', file), 'utf8')]);

  test('write nothing of the mock, and answer with it', async () => {
    const [root, plain] = [appWith(), createViteApp({})];
    for (const app of [root, plain]) expect(await runVite(app, 'build').ended()).toBe(0);
    expect(built(root)).toEqual(built(plain));
    const { call } = await startVite(root, 'preview');
    expect((await call(CONTRACT, DELETE)).status).toBe(200);
    expect((await call(CONTRACT, DELETE)).status).toBe(404);
    expect((await call('/billing/nothing')).headers.get('Content-Type')).toContain('problem+json');
    expect(await (await call('/billing/invoices', PAGE)).text()).toContain('The app');
  });
});
