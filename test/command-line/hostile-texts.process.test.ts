import { runCommand, useCommands } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';
import { json, useServices } from '../support/services.js';

const start = useCommands('--log-level', 'warn');
const serve = useServices();
const BEARER = { Authorization: 'Bearer of-a-test' };

/** What the mock answers; far sooner than that, unless it is stopped. */
function call(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { headers: BEARER, ...init, signal: AbortSignal.timeout(10_000) });
}

/** As many of the texts as fit in one request line. */
const HOSTILE = ['token-', 'eyJaaaaa-', '"password":{', '=', '%', '{{'].map((text) => [
  text,
  text.repeat(15_000 / encodeURIComponent(text).length),
]);

describe('a text that takes long to search', () => {
  test.each(HOSTILE)('does not stop the mock in a query: %s', async (_, text) => {
    const { url } = await start([
      '--journal-file',
      writeFixture('', `hostile-${HOSTILE.findIndex(([, one]) => one === text)}.jsonl`),
    ]);
    for (const name of ['x', text]) {
      const query = `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      const target = `${url}/measurements?${name === 'x' ? query : encodeURIComponent(text)}`;
      await call(target, { headers: {} });
      expect((await call(target)).status).toBe(400);
    }
    const har = await call(`${url}/__control/requests/har`);
    expect(await har.json()).toMatchObject({ log: { entries: [{}, {}] } });
  });

  test.each([
    ['Prefer', `a${' '.repeat(15_000)}b "`],
    ['Prefer', 'x="\\"'.repeat(2_500)],
    ['Content-Type', `a${' '.repeat(15_000)}b`],
    ['X-Note', 'token-'.repeat(2_500)],
  ])('does not stop the mock in a header field: %s', async (name, value) => {
    const stub = 'stubs: [{ method: POST, path: /echo, body: "{{body.x}}" }]';
    const { url } = await start(['--dataset', writeFixture(stub, 'hostile.yaml')]);
    const headers = { ...BEARER, [name]: value };
    expect((await call(`${url}/measurements`, { headers })).status).toBe(200);
    expect((await call(`${url}/echo`, { method: 'POST', headers, body: 'x' })).status).toBe(400);
  });

  test('does not stop the mock in a stub', async () => {
    const { url } = await start([]);
    const stub = { method: 'GET', path: '/me', body: '{{'.repeat(200_000) };
    const headers = { ...BEARER, 'Content-Type': 'application/json' };
    const body = JSON.stringify(stub);
    const response = await call(`${url}/__control/stubs`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });

  test('does not stop settle in what a service answers', async () => {
    const { url } = await serve(json(200, { measurements: '@'.repeat(100_000) }));
    const args = ['settle', '--rate', '1000', '--target', url];
    const settle = runCommand(args, { USAGE_BILLING_TOKEN: 'of-a-test' });
    const killed = setTimeout(() => settle.kill('SIGKILL'), 15_000);
    expect(await settle.ended()).not.toBeNull();
    clearTimeout(killed);
    expect(settle.stdout()).toContain('text of 100000');
  });
});
