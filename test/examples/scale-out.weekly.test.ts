import { spawnSync } from 'node:child_process';
import { runCommand } from '../support/command.js';
import { fetchAs, until } from '../support/fetching.js';
import { CONTROL_TOKEN, type ScaleOut, startScaleOut } from '../support/scale-out.js';
import { sendRaw } from '../support/socket.js';

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
const runs = hasNginx ? test : test.skip;
const why = hasNginx ? '' : ' (skipped: nginx is not installed)';

const CONTRACT = '/contracts/65b000000000000000000001';
const TOKENS = Array.from({ length: 1_000 }, (_, nth) => `client-${nth}`);
const AT_ONCE = 20;

/** The members of a control plane's response that the tests read. */
interface ControlBody {
  readonly accounts: readonly { readonly requests: number }[];
  readonly requests: readonly object[];
}

let example: ScaleOut;

beforeAll(async () => {
  if (hasNginx) example = await startScaleOut();
});

/** Deletes the contract as the account of a token, and returns the status. */
async function remove(token: string): Promise<number | undefined> {
  const { status } = await fetchAs(example, token, CONTRACT, { method: 'DELETE' });
  return status;
}

/** Runs a task for each token, several at the same time. */
async function forEach<Result>(
  tokens: readonly string[],
  task: (token: string) => Promise<Result>,
) {
  const results: Result[] = [];
  const queue = tokens.entries();
  const work = async () => {
    for (const [nth, token] of queue) results[nth] = await task(token);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** Calls the control plane with the control token. */
async function control(
  path: string,
  headers: Record<string, string> = {},
  { url, ...init }: RequestInit & { url?: string } = {},
) {
  const response = await fetch(`${url ?? example.url}/__control${path}`, {
    ...init,
    headers: { 'X-Control-Token': CONTROL_TOKEN, 'Content-Type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as ControlBody };
}

const as = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The open accounts of each mock. */
async function accountsByMock(mocks = example.mocks) {
  const responses = mocks.map(({ url }) => control('/accounts?limit=1000', {}, { url }));
  return (await Promise.all(responses)).map(({ body }) => body.accounts);
}

describe('the example of several mocks behind nginx', () => {
  runs(`keeps each of 1,000 accounts on one mock${why}`, async () => {
    expect(await forEach(TOKENS, remove)).toEqual(TOKENS.map(() => 200));
    expect(await forEach(TOKENS, remove)).toEqual(TOKENS.map(() => 404));
    const byMock = await accountsByMock();
    expect(byMock).toHaveLength(4);
    expect(Math.min(...byMock.map(({ length }) => length))).toBeGreaterThan(100);
    // An account on two mocks would count twice, and have one request on each.
    expect(byMock.flat()).toHaveLength(TOKENS.length);
    expect(byMock.flat().every(({ requests }) => requests === 2)).toBe(true);
  });

  runs(`finds one account however its token is written${why}`, async () => {
    const tokens = Array.from({ length: 25 }, (_, nth) => `written-${nth}`);
    for (const token of tokens) {
      const statuses = [];
      for (const scheme of ['Bearer ', 'bearer ', 'Bearer  ']) {
        const init = { method: 'DELETE', headers: { Authorization: scheme + token } };
        statuses.push((await fetch(example.url + CONTRACT, init)).status);
      }
      expect([token, statuses]).toEqual([token, [200, 404, 404]]);
    }
  });

  runs(`takes a call of the control plane to the mock of the account${why}`, async () => {
    const tokens = Array.from({ length: 25 }, (_, nth) => `arranged-${nth}`);
    const fault = JSON.stringify({ kind: 'status', status: 503 });
    await forEach(tokens, (token) =>
      control('/faults', as(token), { method: 'POST', body: fault }),
    );
    expect(await forEach(tokens, remove)).toEqual(tokens.map(() => 503));
    const journals = await forEach(tokens, (token) => control('/requests', as(token)));
    for (const { body } of journals) expect(body.requests).toMatchObject([{ status: 503 }]);
  });

  runs(`forwards nothing to the control plane without its token${why}`, async () => {
    const detail = expect.stringContaining('expected the control token of the mocks');
    const refused = { status: 403, body: { detail } };
    for (const token of ['', 'wrong']) {
      const headers = { ...as('guarded'), 'X-Control-Token': token };
      expect(await control('/account', headers)).toMatchObject(refused);
      expect(await control('//account', headers)).toMatchObject(refused);
    }
    expect(await control('/health', { 'X-Control-Token': '' })).toMatchObject({ status: 200 });
  });

  runs.each([
    'PUT /__control/customers/..%2f..%2fx',
    'PUT /__control/customers/..%2f..%2f%0ax',
    'GET /__control/customers/..%2f..%2f__control%2fhealth',
    'GET /__control/decisions/../../x',
    'GET http://mock/__control/customers/..%2f..%2fx',
  ])(`refuses what only looks as if it went past the control plane: %s${why}`, async (start) => {
    const head = `${start} HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\r\n`;
    const { status, body } = await sendRaw(example.url, head);
    expect([status, body]).toEqual([403, expect.stringContaining('control token of the mocks')]);
  });

  runs(`refuses what one mock would answer for all${why}`, async () => {
    const ofAll = { status: 400, body: { detail: expect.stringContaining('on several mocks') } };
    expect(await control('/accounts')).toMatchObject(ofAll);
    expect(await control('/accounts?all=true', {}, { method: 'DELETE' })).toMatchObject(ofAll);
    expect(await control('/accounts/reset', {}, { method: 'POST' })).toMatchObject(ofAll);

    const byId = { 'X-Account-Id': '0c7a2f5e-8d1b-4a63-9f0e-5b2d7c4e1a98' };
    const needsToken = { status: 400, body: { detail: expect.stringContaining('bearer token') } };
    expect(await control('/account', byId)).toMatchObject(needsToken);
    expect((await control('/account', { ...byId, ...as('known') })).status).toBe(404);
  });

  runs(`answers a request without a token as a mock does${why}`, async () => {
    const [{ url = '' } = {}] = example.mocks;
    const responses = await Promise.all(
      [url, example.url].map(async (origin) => {
        const response = await fetch(origin + CONTRACT, { method: 'DELETE' });
        return [response.status, response.headers.get('WWW-Authenticate'), await response.text()];
      }),
    );
    expect(responses[0]?.[0]).toBe(401);
    expect(responses[1]).toEqual(responses[0]);
    // One mock has the journal of all such requests, where a call without a token finds them.
    await control('/requests?of=server', {}, { method: 'DELETE' });
    await Promise.all(
      Array.from({ length: 12 }, () => fetch(example.url + CONTRACT, { method: 'DELETE' })),
    );
    const { body } = await control('/requests?of=server');
    expect(body.requests).toHaveLength(12);
  });

  runs.each(['reset', 'empty'])(
    `closes the connection where the mock does by the fault '%s'${why}`,
    async (kind) => {
      const body = JSON.stringify({ kind });
      await control('/faults', as(kind), { method: 'POST', body });
      const { failure } = await fetchAs(example, kind, CONTRACT, { method: 'DELETE' });
      expect(failure).toMatch(/^fetch failed/);
      expect(await remove(kind)).toBe(200);
    },
  );

  runs(`sends a body as slowly as the mock does${why}`, async () => {
    const body = JSON.stringify({ kind: 'slow', delayMs: 300 });
    await control('/faults', as('slow'), { method: 'POST', body });
    const { status, pieces } = await fetchAs(example, 'slow', '/customers/name/Acme%20Corporation');
    expect(status).toBe(200);
    expect(pieces).toBeGreaterThan(1);
  });

  runs(`answers 502 for the accounts of a mock that is gone, and for no other${why}`, async () => {
    const sample = TOKENS.slice(0, 200);
    const [{ url = '', pid = 0 } = {}, ...others] = example.mocks;
    const before = await accountsByMock(others);

    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
    const statuses = await forEach(sample, remove);
    expect(new Set(statuses)).toEqual(new Set([404, 502]));
    const lost = sample.filter((_, nth) => statuses[nth] === 502);
    const kept = sample.filter((_, nth) => statuses[nth] === 404);
    // No other mock has opened accounts for them.
    expect(await accountsByMock(others)).toMatchObject(before.map(({ length }) => ({ length })));

    const { port } = new URL(url);
    const again = runCommand(['--port', port, '--control-token', CONTROL_TOKEN]);
    await again.ready();
    expect(await forEach(lost, remove)).toEqual(lost.map(() => 200));
    expect(await forEach(kept, remove)).toEqual(kept.map(() => 404));
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the example of several mocks refuses a flag that it does not have, with those that it has', () => {
  const args = ['examples/scale-out/start.mjs', '--shard', '3'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/'--shard'.*\n\nUsage: .*--shards/s);
});
