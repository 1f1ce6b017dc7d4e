import { createMockServer, type FaultRequest, type StubRequest } from '../../src/index.js';
import { fetchAs } from '../support/fetching.js';

const LOCATION = { Location: '/next', 'Set-Cookie': 'session=1', 'X-Own': 'yes' };
const TEXT = { ...LOCATION, 'Content-Type': 'text/plain' };
const JSON_TYPE = 'application/json; charset=utf-8';
const TRUNCATED = 'terminated: UND_ERR_SOCKET';

const STUBS: readonly Omit<StubRequest, 'method'>[] = [
  { path: '/moved', status: 201, headers: TEXT, body: 'plain: {{query.q}} 🙂' },
  { path: '/page', headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' },
  { path: '/object', headers: LOCATION, body: { a: [1] } },
  { path: '/number', body: 12 },
  { path: '/digits', headers: { 'Content-Type': 'text/plain' }, body: '12\n' },
  { path: '/null', body: null },
  { path: '/empty', headers: LOCATION },
  { path: '/blank', headers: TEXT, body: '' },
  { path: '/gone', status: 204, headers: LOCATION },
];

const server = await createMockServer({
  dataset: 'empty',
  stubs: STUBS.map((stub) => ({ method: 'GET', needsToken: true, ...stub })),
});
beforeAll(() => server.start());
afterAll(() => server.stop());

/** A call of a stub as it is, and what a fault makes of it. */
async function distorted(path: string, fault: FaultRequest) {
  const token = `${fault.kind}-${path.slice(1)}`;
  const call = async () => {
    const { headers, ...seen } = await fetchAs(server, token, `${path}?q=%3C`);
    const fields = Object.fromEntries([...headers].filter(([name]) => name !== 'date'));
    const { 'content-length': length, ...others } = fields;
    return { ...seen, length, headers: others };
  };
  const whole = await call();
  server.account(token).faults.add({ path, ...fault });
  return { whole, seen: await call(), entry: server.account(token).journal.list()[1] };
}

const PATHS = STUBS.map(({ path }) => path);

describe('a fault that distorts the response of a stub', () => {
  test.each(PATHS)('sends %s slowly, and changes nothing of it', async (path) => {
    const { whole, seen, entry } = await distorted(path, { kind: 'slow', delayMs: 30 });
    expect(seen).toEqual({ ...whole, pieces: expect.any(Number), durationMs: expect.any(Number) });
    expect(seen.durationMs).toBeGreaterThan(28);
    expect(entry).toMatchObject({ status: whole.status, fault: 1, outcome: 'answered' });
  });

  test.each(PATHS)('truncates %s under its own header fields', async (path) => {
    const { whole, seen } = await distorted(path, { kind: 'truncated' });
    const { status, headers, length } = whole;
    expect(seen).toMatchObject({ status, headers, length });
    expect(seen.failure).toBe(whole.text === '' ? undefined : TRUNCATED);
  });

  test.each([
    ['/moved', 'plain: < \ufffd'],
    ['/page', '<p>Hello</p'],
    ['/object', '{"a":[1]'],
    ['/number', '[1'],
    ['/digits', '[1'],
    ['/null', 'nul'],
    ['/empty', ''],
    ['/blank', ''],
    ['/gone', ''],
  ])('makes of %s what is no JSON: %j', async (path, text) => {
    const { whole, seen } = await distorted(path, { kind: 'malformed-json' });
    const { status, headers } = whole;
    expect(seen).toMatchObject({ status, headers, text });
    expect(() => JSON.parse(seen.text)).toThrow(SyntaxError);
    expect(seen.length).toBe(whole.length && String(Buffer.byteLength(seen.text)));
  });

  test('keeps Location, Set-Cookie and the type', async () => {
    const { seen } = await distorted('/moved', { kind: 'slow', delayMs: 1 });
    expect(seen).toMatchObject({
      status: 201,
      text: 'plain: < 🙂',
      headers: {
        location: '/next',
        'set-cookie': 'session=1',
        'x-own': 'yes',
        'content-type': 'text/plain',
      },
    });
    const { headers } = (await distorted('/object', { kind: 'malformed-json' })).seen;
    expect(headers).toMatchObject({ location: '/next', 'content-type': JSON_TYPE });
  });
});
