import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { createMockServer, type MockServer } from '../../src/index.js';
import {
  type CertificateFiles,
  createCertificate,
  hasProgram,
  newFile,
  openssl,
} from '../support/certificates.js';
import { runCommand, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { run } from '../support/programs.js';
import { openSocket } from '../support/socket.js';

const isAble = hasProgram('openssl');
const describeTls = isAble ? describe : describe.skip;
const note = isAble ? '' : ' (skipped: openssl is not installed)';
const withCurl = hasProgram('curl') ? test : test.skip;
const curlNote = hasProgram('curl') ? '' : ' (skipped: curl is not installed)';

const dataset = 'edge-cases';
const NONE: CertificateFiles = { tlsCert: '', tlsKey: '' };
const files = isAble ? createCertificate('DNS:localhost', 'IP:127.0.0.1') : NONE;
const ca = isAble ? readFileSync(files.tlsCert) : '';

describeTls(`https${note}`, () => {
  let server: MockServer;
  let url = '';
  beforeAll(async () => {
    server = await createMockServer({ dataset, ...files });
    url = await server.start();
  });
  afterAll(() => server.stop());

  /** Calls the server as a client that trusts the certificate. */
  function call(path: string, headers: object = {}, at = url, agent = new Agent()) {
    return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = { Authorization: 'Bearer t', ...headers };
      request(`${at}${path}`, { ca, agent, headers: sent }, async (response) => {
        const body = await text(response).catch(reject);
        if (body !== undefined) resolve({ status: response.statusCode, body });
      })
        .once('error', reject)
        .end();
    });
  }

  const isServing = async () => expect((await call('/measurements')).status).toBe(200);

  const secured = (ALPNProtocols?: string[]) =>
    new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        ca,
        ALPNProtocols,
      });
      socket.once('secureConnect', () => resolve(socket)).once('error', reject);
    });

  test('answers the operations and the control plane, and every URL begins so', async () => {
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(server.url).toBe(url);
    expect((await call('/measurements')).status).toBe(200);
    expect((await call('/__control/account')).status).toBe(200);
    expect(
      (await server.fetch('/measurements', { headers: { Authorization: 'Bearer t' } })).status,
    ).toBe(200);
  });

  test('has a call to paste in its 404', async () => {
    expect(JSON.parse((await call('/nothing')).body).detail).toContain(
      `'${url}/measurements?limit=2'`,
    );
  });

  test('is HTTP/1.1 alone', async () => {
    const socket = await secured(['h2', 'http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
    await expect(secured(['h2'])).rejects.toThrow(/no application protocol/);
  });

  test('lets pages of its own origin use the control plane, and not those of plain HTTP', async () => {
    const own = await call('/__control/account', { Origin: url });
    const plain = await call('/__control/account', { Origin: url.replace('https', 'http') });
    expect([own.status, plain.status]).toEqual([200, 403]);
  });

  test.each([
    ['no TLS', Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
    ['half of a greeting', Buffer.from('16030100ff01', 'hex')],
    ['a broken greeting', Buffer.from(`1603010006010000020303${'ff'.repeat(40)}`, 'hex')],
    ['nothing', Buffer.alloc(0)],
  ])('survives bytes that are %s', async (_words, bytes) => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const socket = connectPlain(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(bytes, () => socket[end]());
      await closed;
    }
    await isServing();
  });

  test.each([
    ['GET measurements HTTP/1.1', 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 431],
    ['CONNECT mock:443 HTTP/1.1', 405],
    ['GET /measurements HTTP/1.1', 400],
  ])('refuses the same heads as without TLS: %#', async (line, status) => {
    const socket = await secured();
    socket.end(`${line}\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await isServing();
  });

  test('survives a reset after CONNECT, and in the middle of a request', async () => {
    for (const head of ['CONNECT mock:443 HTTP/1.1\r\n\r\n', 'POST / HTTP/1.1\r\nHost: x\r\n']) {
      const plain = connectPlain(Number(new URL(url).port), '127.0.0.1');
      const socket = connect({ socket: plain, ca, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.write(head, () => resolve()));
      plain.resetAndDestroy();
    }
    await isServing();
  });

  test('ends at stop() what is open: idle, half greeted, plain', async () => {
    const own = await createMockServer({ dataset, ...files });
    const at = await own.start();
    const agent = new Agent({ keepAlive: true });
    expect((await call('/measurements', {}, at, agent)).status).toBe(200);
    const plain = at.replace('https', 'http');
    const open = [
      openSocket(plain, ''),
      openSocket(plain, '\u0016\u0003\u0001'),
      openSocket(plain, 'GET'),
    ];
    await until(() => open.every(({ socket }) => !socket.connecting));
    await own.stop();
    agent.destroy();
    for (const { socket } of open) socket.end();
    await Promise.all(open.map(({ closed }) => closed));
    expect(await own.start()).toMatch(/^https:/);
    await own.stop();
  });

  test('answers a request that was sent before stop()', async () => {
    const own = await createMockServer({ dataset, ...files });
    const at = await own.start();
    const { faults } = own.account('t');
    faults.add({ kind: 'delay', delayMs: 50 });
    const response = call('/measurements', {}, at);
    await until(() => faults.list()[0]?.fired === 1);
    await own.stop();
    expect((await response).status).toBe(200);
  });

  test.each([
    [['DNS:localhost'], 'localhost'],
    [['DNS:other.example'], '127.0.0.1'],
    [['DNS:localhost', 'IP:127.0.0.1'], '127.0.0.1'],
  ])('with a certificate for %j has the URL of %s', async (names, host) => {
    const own = await createMockServer({ dataset, ...createCertificate(...names) });
    const at = new URL(await own.start());
    await own.stop();
    expect(at.hostname).toBe(host);
  });

  test('has the base path in its URL as well', async () => {
    const own = await createMockServer({ dataset, basePath: '/v1', ...files });
    const at = await own.start();
    expect(at).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect((await call('/measurements', {}, at)).status).toBe(200);
    await own.stop();
  });
});

describeTls(`a certificate that cannot be used${note}`, () => {
  const other = isAble ? createCertificate('DNS:localhost') : NONE;
  const empty = newFile('empty.pem');
  writeFileSync(empty, '');
  const missing = '/nowhere/cert.pem';
  const encrypted = newFile('encrypted.pem');
  if (isAble) {
    openssl('pkey', '-in', files.tlsKey, '-aes128', '-passout', 'pass:x', '-out', encrypted);
  }
  const CERT = '--tls-cert (tlsCert in the library)';
  const KEY = '--tls-key (tlsKey in the library)';

  /** Node's messages differ between versions. */
  const refusedByNode = (option: string, file: string): string =>
    expect.stringContaining(`The file '${file}' for ${option} cannot be used: error:`);

  const MISTAKES: [string, Partial<CertificateFiles>, string][] = [
    [
      'without a key',
      { tlsCert: files.tlsCert },
      `${CERT} needs ${KEY}. Add that option, or leave this one out.`,
    ],
    [
      'that is missing',
      { tlsKey: files.tlsKey },
      `${KEY} needs ${CERT}. Add that option, or leave this one out.`,
    ],
    [
      'that is empty',
      { ...files, tlsCert: empty },
      `The file '${empty}' for ${CERT} cannot be used: error:0480006C:PEM routines::no start line.`,
    ],
    ['that is a key', { ...files, tlsCert: files.tlsKey }, refusedByNode(CERT, files.tlsKey)],
    ['of another key', { ...files, tlsKey: other.tlsKey }, refusedByNode(KEY, other.tlsKey)],
    ['whose key is empty', { ...files, tlsKey: empty }, refusedByNode(KEY, empty)],
    [
      'whose key is a certificate',
      { ...files, tlsKey: files.tlsCert },
      refusedByNode(KEY, files.tlsCert),
    ],
    ['whose key is encrypted', { ...files, tlsKey: encrypted }, refusedByNode(KEY, encrypted)],
  ];

  test.each(MISTAKES)('is refused by the library: one %s', async (_words, given, sentence) => {
    await expect(createMockServer({ dataset, ...given })).rejects.toThrow(
      expect.objectContaining({ name: 'OptionError', message: sentence }),
    );
  });

  test('ends the command', async () => {
    const command = runCommand(['--tls-cert', missing, '--tls-key', files.tlsKey]);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toBe(
      `usage-billing-mock: The file '${missing}' for ${CERT} cannot be used: it does not exist; check the path.\n`,
    );
  });
});

describeTls(`the command with a certificate${note}`, () => {
  const start = useCommands('--dataset', dataset);
  const { tlsCert, tlsKey } = files;

  withCurl(`prints calls that can be pasted, and writes its URL${curlNote}`, async () => {
    const readyFile = newFile('ready.json');
    const { command, url } = await start([
      ...['--tls-cert', tlsCert, '--tls-key', tlsKey],
      ...['--base-path', '/v1', '--ready-file', readyFile],
    ]);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(command.stderr()).toContain(`URL      ${url}\n`);
    expect(JSON.parse(readFileSync(readyFile, 'utf8'))).toMatchObject({ url });
    const [line = ''] = /^curl .*measurements.*$/m.exec(command.stderr()) ?? [];
    expect(line).toContain(`--cacert '${tlsCert}'`);
    const { stdout } = await run('sh', ['-c', `${line} --silent --fail`]);
    expect(JSON.parse(stdout)).toHaveProperty('measurements');
  });

  withCurl(`logs why a client that does not trust it failed${curlNote}`, async () => {
    const { command, url } = await start([], {
      USAGE_BILLING_MOCK_TLS_CERT: tlsCert,
      USAGE_BILLING_MOCK_TLS_KEY: tlsKey,
    });
    await expect(run('curl', ['--silent', url])).rejects.toMatchObject({ code: 60 });
    await command.logged('A TLS connection failed: ');
    const { socket, closed } = openSocket(url, 'GET / HTTP/1.0\r\n\r\n');
    socket.once('end', () => socket.end());
    await closed;
    await command.logged('A plain HTTP request was received');
  });

  test('gives its URL, with the base path, to the tests that a matrix runs', async () => {
    const check =
      "fetch(process.env.USAGE_BILLING_MOCK_URL+'/measurements',{headers:{authorization:'Bearer '+process.env.USAGE_BILLING_MOCK_TOKEN}}).then(({ok,url})=>process.exit(ok&&url.includes('/v1/')?0:1))";
    const command = runCommand(
      [
        ...['matrix', '--tls-cert', tlsCert, '--tls-key', tlsKey, '--dataset', dataset],
        ...['--base-path', '/v1'],
        ...['--only', 'total-counts=page', '--', process.execPath, '-e', check],
      ],
      { NODE_EXTRA_CA_CERTS: tlsCert },
    );
    expect([await command.ended(), command.stderr()]).toEqual([0, expect.any(String)]);
  });
});
