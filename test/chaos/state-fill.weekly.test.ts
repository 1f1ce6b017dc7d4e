import { readFileSync } from 'node:fs';
import { useCommands } from '../support/command.js';

const start = useCommands('--log-level', 'warn');
/** Leaves 128 MB of the 512 to code, buffers, and objects that are young. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=384' };
const MAX_KILOBYTES = 512 * 1_024;

type Send = (method: string, path: string, token: string, body?: unknown) => Promise<Response>;

/** Sends the nth request of a fill. */
type Fill = (send: Send, nth: number) => Promise<Response>;

const listOf = <Element>(length: number, element: (nth: number) => Element) =>
  Array.from({ length }, (_, nth) => element(nth));

/** Puts an account of its own into a state with so many customers. */
const customers =
  (count: number, members: (id: string) => object): Fill =>
  (send, nth) => {
    const records = listOf(count, (one) => {
      const id = `c${nth}-${one}`;
      return { id, ...members(id) };
    });
    const none = { contracts: [], measurements: [], events: [] };
    return send('PUT', '/__control/state', `t${nth}`, { ...none, customers: records });
  };

const stubs =
  (body: (nth: number) => unknown): Fill =>
  (send, nth) =>
    send('POST', '/__control/stubs', `t${nth % 50}`, {
      ...{ method: 'GET', path: `/stubs/${nth}`, body: body(nth) },
    });

/** An account at a time changes one of its 5,000 records and takes a snapshot, a hundred times. */
const snapshots: Fill = async (send, nth) => {
  const [account, change] = [Math.floor(nth / 100), nth % 100];
  const changed = await (change === 0
    ? customers(5_000, () => ({}))(send, account)
    : send('PUT', `/__control/customers/c${account}-${change}`, `t${account}`, { name: 'new' }));
  if (changed.status !== 200) return changed;
  return send('POST', '/__control/snapshots', `t${account}`);
};

const evidence = listOf(20, () => 'e'.repeat(500));
const seen = { host: 'h', at: '2026-10-01T12:00:00.000Z', evidence };
const decisions: Fill = (send, nth) =>
  send('PATCH', '/__control/decisions', `t${nth}`, {
    'total-counts': { value: 'page', seen },
    'last-page': { value: 'trailing-empty-page', seen },
  });

/** Deletes every event of an account's dataset. */
const deletions: Fill = async (send, nth) => {
  const listed = await send('GET', '/__control/events?limit=1000', `t${nth}`);
  const { records } = (await listed.json()) as { records: { ref: string }[] };
  const refs = [...new Set(records.map(({ ref }) => ref))];
  return send('POST', '/events/delete-by-refs', `t${nth}`, { refs });
};

const FILLS = {
  'usual records': customers(6_000, (id) => ({
    name: `Customer ${id}`,
    ...{
      aliases: [`alias of ${id}`, `${id}`],
      externalId: `external-${id}`,
    },
    address: { addressText: `Street ${'s'.repeat(250)}`, city: 'Zurich', postalCode: '8000' },
  })),
  'records of almost a kB': customers(4_000, (id) => ({ name: `${id} ${'n'.repeat(750)}` })),
  'records beyond Latin-1': customers(4_000, (id) => ({ name: `ж ${id} ${'n'.repeat(300)}` })),
  'records with many elements': customers(4_000, (id) => ({
    aliases: listOf(24, (nth) => `${nth}${id}`),
  })),
  'records without members': customers(25_000, () => ({})),
  'records of 4 MB': customers(1, () => ({ name: 'n'.repeat(4_000_000) })),
  stubs: stubs(() => 'x'.repeat(32_000)),
  'stubs with empty lists': stubs(() => listOf(300_000, () => [])),
  'stubs with many members': stubs((nth) =>
    Object.fromEntries(listOf(100_000, (member) => [`member${nth}-${member}`, 1])),
  ),
  faults: (send, nth) =>
    send('POST', '/__control/faults', `t${nth % 50}`, {
      kind: 'respond',
      body: 'x'.repeat(32_000),
    }),
  snapshots,
  'decisions with evidence': decisions,
  'long tokens': (send, nth) =>
    send('PUT', '/__control/account', `${nth}${'t'.repeat(14_000)}`, { name: `test ${nth}` }),
  deletions,
} satisfies Record<string, Fill>;

async function served() {
  const { command, url } = await start([], SMALL_HEAP);
  const send: Send = (method, path, token, body) =>
    fetch(`${url}${path}`, {
      ...{ method, ...(body !== undefined && { body: JSON.stringify(body) }) },
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
  /** Sends until one is refused, but at most so many. */
  async function fill(requests: Fill, most = Number.POSITIVE_INFINITY): Promise<string> {
    for (let nth = 0; nth < most; nth += 1) {
      const response = await requests(send, nth);
      const text = await response.text();
      if (!response.ok) return `${response.status} ${text}`;
    }
    return 'all were admitted';
  }
  async function end(): Promise<void> {
    expect((await send('GET', '/measurements', 'another')).status).toBe(200);
    const [, peak] =
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${command.pid}/status`, 'utf8')) ?? [];
    expect(Number(peak)).toBeLessThan(MAX_KILOBYTES);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
  }
  return { send, fill, end };
}

test.each(Object.entries<Fill>(FILLS))(
  '%s are refused before they fill 512 MB',
  async (_what, requests) => {
    const { fill, end } = await served();
    expect(await fill(requests)).toMatch(
      /^409 .*"This server keeps changed records, faults, stubs and snapshots that count [\d,]+/,
    );
    await end();
  },
);

// If what undoes deletions stayed after a rewind could no longer need it, 90 rounds would end it.
test('deletions of records that were imported keep nothing once others are imported', async () => {
  const { fill, end } = await served();
  const events = listOf(4_000, (nth) => ({
    id: `e${nth}`,
    ref: 'r',
    customerAlias: 'c'.repeat(700),
  }));
  const state = { customers: [], contracts: [], measurements: [], events };
  const round: Fill = async (send) => {
    const imported = await send('PUT', '/__control/state', 't', state);
    if (!imported.ok) return imported;
    return send('POST', '/events/delete-by-refs', 't', { refs: ['r'] });
  };
  expect(await fill(round, 150)).toBe('all were admitted');
  await end();
});

test('all of them, with the journals full, are refused before they fill 512 MB', async () => {
  const { send, fill, end } = await served();
  const body = { refs: ['r'.repeat(15_000)] };
  const small: Fill = (_, nth) => send('POST', '/events/delete-by-refs', `j${nth % 50}`, body);
  expect(await fill(small, 50_000)).toBe('all were admitted');
  for (const requests of Object.values<Fill>(FILLS)) await fill(requests, 3);
  expect(await fill(FILLS['records of almost a kB'])).toMatch(/^409 /);
  expect(await fill(small, 100)).toBe('all were admitted');
  await end();
});
