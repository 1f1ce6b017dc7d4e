import { runCommand } from '../support/command.js';
import { writeFixture } from '../support/fixture.js';
import { json, useServices } from '../support/services.js';

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
  const stub = 'stubs: [{ method: POST, path: /echo, body: "{{body.x}}" }]';
  const files = [
    ...['--dataset', writeFixture(stub, 'hostile.yaml')],
    ...['--journal-file', writeFixture('', 'hostile.jsonl')],
  ];
  let url = '';
  beforeAll(async () => {
    url = await runCommand(['--port', '0', '--log-level', 'warn', ...files]).ready();
  });

  test.each(HOSTILE)('does not stop the mock in a query: %s', async (_, text = '') => {
    for (const query of [`x=${encodeURIComponent(text)}`, encodeURIComponent(text)]) {
      const target = `${url}/measurements?${query}`;
      await call(target, { headers: {} });
      expect((await call(target)).status).toBe(400);
    }
    expect((await call(`${url}/__control/requests/har`)).status).toBe(200);
  });

  test.each([
    ['Prefer', `a${' '.repeat(15_000)}b "`],
    ['Prefer', 'x="\\"'.repeat(2_500)],
    ['Content-Type', `a${' '.repeat(15_000)}b`],
    ['X-Note', 'token-'.repeat(2_500)],
  ])('does not stop the mock in a header field: %s', async (name, value) => {
    const headers = { ...BEARER, [name]: value };
    expect((await call(`${url}/measurements`, { headers })).status).toBe(200);
    expect((await call(`${url}/echo`, { method: 'POST', headers, body: 'x' })).status).toBe(400);
  });

  test('does not stop the mock in a stub', async () => {
    const headers = { ...BEARER, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ method: 'GET', path: '/me', body: '{{'.repeat(200_000) });
    const response = await call(`${url}/__control/stubs`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });

  test('does not stop settle in what a service answers', async () => {
    const { url: target } = await serve(json(200, { measurements: '@'.repeat(100_000) }));
    const args = ['settle', '--rate', '1000', '--target', target];
    const settle = runCommand(args, { USAGE_BILLING_TOKEN: 'of-a-test' });
    const killed = setTimeout(() => settle.kill('SIGKILL'), 15_000);
    expect(await settle.ended()).not.toBeNull();
    clearTimeout(killed);
    expect(settle.stdout()).toContain('text of 100000');
  });
});
