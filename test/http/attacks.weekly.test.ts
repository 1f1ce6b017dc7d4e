import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createMockServer } from '../../src/index.js';

const COMMAND = [join(import.meta.dirname, '../../dist/cli.cjs'), '--port', '0'];
/** A mock of the dataset `large` with lower maxima, which no option of the command sets. */
const lowered = (maxima: object) => [
  ...['--import', 'tsx', '--input-type=module', '--eval'],
  `import { createMock } from './src/host/server/mock-server.ts';
  const options = { dataset: 'large', logLevel: 'silent' };
  const { server } = await createMock(options, { maxima: ${JSON.stringify(maxima)} });
  process.once('SIGTERM', () => server.stop());
  console.log(await server.start());`,
];
const HEAP_MB = 384;
const REFS = '/events/delete-by-refs';

interface Mock {
  readonly child: ChildProcess;
  call(method: string, path: string, body?: string, headers?: object): Promise<number>;
}

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A program with a small heap, and calls to it that keep no connection. */
async function startSmall(program: readonly string[]): Promise<Mock> {
  const all = [`--max-old-space-size=${HEAP_MB}`, ...program];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = await once(child.stdout, 'data');
  const [url = ''] = /http:\/\/[\w.:[\]-]+/.exec(String(line)) ?? [];
  const agent = new Agent({ maxSockets: 9_000 });
  return {
    child,
    call: (method, path, body, headers = { Authorization: 'Bearer a-token' }) =>
      new Promise((resolve) => {
        const sent = { ...headers, 'Content-Type': 'application/json' };
        const call = request(url + path, { method, agent, headers: sent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        call.on('error', () => resolve(0)).end(body);
      }),
  };
}

const swelling = (elements: number, begin = '"refs":["x"],"a":') =>
  `{${begin}[${Array(elements).fill('{}').join(',')}]}`;

const times = <Result>(count: number, act: (nth: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => act(nth)));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls that must not end a process with a heap of 384 MB. */
const ATTACKS: Readonly<Record<string, (mock: Mock) => Promise<unknown>>> = {
  async '400 bodies that swell, held after the operation'({ call }) {
    await call('POST', '/__control/faults', '{"kind":"hold","phase":"after","times":"always"}');
    const all = times(400, () => call('POST', REFS, swelling(21_700)));
    await pause(8_000);
    await call('DELETE', '/__control/faults');
    await all;
  },
  async '400 bodies that swell, held before it and let go together'({ call }) {
    await call('POST', '/__control/faults', '{"kind":"hold","phase":"before","times":"always"}');
    const all = times(400, () => call('POST', REFS, swelling(21_700)));
    await pause(6_000);
    await call('DELETE', '/__control/faults');
    await all;
  },
  async '400 bodies that swell and are refused, with latency'({ call }) {
    await call('PUT', '/__control/latency', '{"latency":8000}');
    await call('PATCH', '/__control/decisions', '{"unknown-body-members":"reject"}');
    await times(400, () => call('POST', REFS, swelling(21_700)));
  },
  'twelve bodies of 10 MB that swell': ({ call }) =>
    times(12, () => call('POST', REFS, swelling(3_400_000))),
  'six bodies of 10 MB with as many mistakes': ({ call }) =>
    times(6, () => call('POST', REFS, swelling(3_400_000, '"refs":'))),
  async '8,000 held requests with a header of 15 kB'({ call }) {
    await call('POST', '/__control/faults', '{"kind":"hold","times":"always"}');
    const headers = { Authorization: 'Bearer a-token', 'X-Long': 'h'.repeat(15_000) };
    const all = times(8_000, () => call('GET', '/measurements?limit=1', undefined, headers));
    await pause(20_000);
    await call('DELETE', '/__control/faults');
    await all;
  },
  async 'five stubs of 3.9 MB whose members have names of their own'({ call }) {
    for (let nth = 0; nth < 5; nth += 1) {
      const body = Array.from({ length: 190_000 }, (_, at) => ({ [`${nth}-${at}-own`]: 1 }));
      const stub = JSON.stringify({ method: 'GET', path: `/stub-${nth}`, body });
      expect(stub.length).toBeLessThan(4_000_000);
      expect(await call('POST', '/__control/stubs', stub)).toBe(201);
    }
  },
  async 'full journals and all that tests may add, then a body of 10 MB that swells'({ call }) {
    const long = JSON.stringify({ refs: ['j'.repeat(14_000)] });
    for (let from = 0; from < 12_000; from += 50) {
      await times(50, (nth) =>
        call('POST', REFS, long, {
          Authorization: `Bearer token-${(from + nth) % 700}`,
          'X-Long': 'h'.repeat(12_000),
        }),
      );
    }
    const customers = Array.from({ length: 25_000 }, (_, at) => ({ id: `c-${at}`, name: 'a' }));
    const fill = (nth: number) =>
      call('PUT', '/__control/state', JSON.stringify({ customers }), {
        Authorization: `Bearer full-${nth}`,
      });
    let filled = 0;
    while ((await fill(filled)) === 200) filled += 1;
    expect(filled).toBeGreaterThanOrEqual(3);
    await times(1_000, (nth) =>
      call('POST', '/__control/stubs', `{"method":"GET","path":"/stub-${nth}","body":{"a":"b"}}`),
    );
    await call('DELETE', '/contracts/65b000000000000000000001');
    await times(100, () => call('POST', '/__control/snapshots', '{}'));
    const fault = '{"kind":"status","status":503,"operationId":"getCustomer"}';
    const faults = await times(1_001, () => call('POST', '/__control/faults', fault));
    expect(faults.filter((status) => status === 409)).toHaveLength(1);
    await call('POST', REFS, swelling(3_400_000));
  },
};

test.each([
  ['of accounts that are idle', { deletions: 100_000, idleMinutes: 0 }],
  ['of accounts of which none is idle', { deletions: 100_000 }],
])('a heap of 384 MB survives 1.2 million deletions %s, and none is refused', async (_, maxima) => {
  const mock = await startSmall(lowered(maxima));
  const { events } = (await createMockServer({ dataset: 'large' })).dataset;
  const refs = Array.from(events, ({ ref }) => ref);
  for (let account = 0; account < 120; account += 1) {
    const headers = { Authorization: `Bearer account-${account}` };
    const statuses = await times(10, (nth) =>
      mock.call(
        'POST',
        REFS,
        JSON.stringify({ refs: refs.slice(1_000 * nth, 1_000 * (nth + 1)) }),
        headers,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  await endsNormally(mock);
});

test.each(Object.entries(ATTACKS))('a heap of 384 MB survives %s', async (_name, attack) => {
  const mock = await startSmall([...COMMAND, '--log-level', 'silent']);
  await attack(mock);
  await endsNormally(mock);
});

/** It answers still, and ends when it is asked to. */
async function endsNormally({ call, child }: Mock): Promise<void> {
  expect(await call('GET', '/__control/health')).toBe(200);
  expect(await call('GET', '/measurements?limit=1')).toBe(200);
  child.kill('SIGTERM');
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
}
