import fc from 'fast-check';
import type { AccountControl, Decisions } from '../../src/index.js';
import { startServer } from '../properties/kept-connections.js';

const server = await startServer({ dataset: 'test/support/mixed-records.yaml' });
const RUNS = { seed: 20_260_101, numRuns: 300 };
const NOW = '2030-01-02T03:04:05.000Z';
const resources = ['customers', 'contracts', 'measurements', 'events'] as const;

/** A request of the service. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A request of an account, or a change by a test. */
type Deed = Call | { readonly words: string; readonly act: (account: AccountControl) => unknown };

const names = fc.constantFrom(...resources);
const ids = fc.constantFrom('written', 'written-contract-1', 'written-event-1', 'B', 'new');
const texts = fc.constantFrom('Written', 'shared-ref', 'written-external', 'new');

function call(method: string, path: string, body?: unknown): Call {
  return { method, path, ...(body !== undefined && { body }) };
}

function control(words: string, act: (account: AccountControl) => unknown): Deed {
  return { words, act };
}

const calls: fc.Arbitrary<Deed>[] = [
  ids.map((id) => call('DELETE', `/contracts/${id}`)),
  ids.map((id) => call('GET', `/customers/${id}`)),
  texts.map((text) => call('GET', `/customers/name/${text}`)),
  fc.constantFrom(1, 3, 5000).map((limit) => call('GET', `/measurements?limit=${limit}`)),
  texts.map((text) => call('POST', '/events/delete-by-refs', { refs: [text, 'new'] })),
];

const switches = fc.constantFrom<Partial<Decisions>>(
  { 'repeat-delete': 'same-result' },
  { 'success-status': 202 },
  { 'success-status': 200, 'error-body': 'message' },
  { 'error-body': 'problem-json', 'unknown-identifier-status': 400 },
  { 'measurement-order': 'newest-first', 'total-counts': 'remaining' },
  { 'updated-at-on-delete': 'deletion-time', 'repeat-event-delete': 'include' },
  { 'rate-limit': '4/1m' },
  { 'rate-limit': 'unlimited', 'cursor-lifetime': '1s' },
);
const faults = fc.record({
  kind: fc.constant('status' as const),
  status: fc.constantFrom(500, 503),
  phase: fc.constantFrom('before' as const, 'after' as const),
  skip: fc.nat({ max: 2 }),
  times: fc.integer({ min: 1, max: 3 }),
});

/** Changes of all parts of an account, independent of the machine's time. */
const controls: fc.Arbitrary<Deed>[] = [
  fc
    .tuple(names, ids)
    .map(([name, id]) => control(`remove ${id}`, (account) => account[name].remove(id))),
  fc.tuple(names, ids, texts).map(([name, id, text]) =>
    control(`put ${id} into ${name} with ${text}`, (account) => {
      const stamped = { id, createdAt: NOW, updatedAt: NOW };
      const puts = {
        customers: () => account.customers.put({ ...stamped, name: text, externalId: text }),
        contracts: () => account.contracts.put({ ...stamped, name: text }),
        measurements: () => account.measurements.put({ ...stamped, meterId: text }),
        events: () => account.events.put({ ...stamped, ref: text }),
      };
      puts[name]();
    }),
  ),
  fc.constant(
    control('import', (account) => account.importState({ customers: [{ name: 'Written' }] })),
  ),
  switches.map((changes) =>
    control(JSON.stringify(changes), (account) => account.decisions.change(changes)),
  ),
  fc.constant(control('advance', ({ clock }) => clock.advance(900))),
  faults.map((fault) => control(JSON.stringify(fault), (account) => account.faults.add(fault))),
  fc.constant(control('clear the faults', (account) => account.faults.clear())),
  texts.map((text) =>
    control(`stub ${text}`, ({ stubs }) => {
      stubs.clear();
      stubs.add({ method: 'GET', path: '/me', body: { name: text } });
    }),
  ),
  fc.constant(control('clear the journal', ({ journal }) => journal.clear())),
  fc.constant(control('take', (account) => account.snapshot('other'))),
  fc.constant(
    control('restore', (account) => {
      account.snapshot('last');
      account.restore('last');
    }),
  ),
];
const length = { maxLength: 5, size: 'max' } as const;
const calm = fc.array(fc.oneof(...calls, ...controls), length);
const wild = fc.array(
  fc.oneof(
    ...calls,
    ...controls,
    fc.constant(control('reset', (account) => account.reset())),
    fc.constant(control('real time', ({ clock }) => clock.useRealTime())),
  ),
  length,
);

/** The responses to the deeds, byte for byte. */
async function carryOut(token: string, deeds: readonly Deed[]): Promise<string[]> {
  const responses = [];
  for (const deed of deeds) {
    if ('act' in deed) deed.act(server.account(token));
    else {
      const { status, type, text } = await server.call(token, deed.method, deed.path, deed.body);
      responses.push(`${status} ${type} ${text}`);
    }
  }
  return responses;
}

/** Requests whose responses depend on everything that a snapshot keeps. */
const PROBES: readonly Call[] = [
  call('GET', '/measurements?limit=3'),
  call('DELETE', '/contracts/written-contract-1'),
  call('POST', '/events/delete-by-refs', { refs: ['shared-ref', 'new'] }),
  call('GET', '/me'),
];

/** Everything that a snapshot keeps. */
function keptOf(account: AccountControl): unknown {
  const { faults, clock, stubs, decisions } = account;
  return JSON.stringify([
    account.fingerprint(),
    resources.map((name) => account[name].list()),
    faults.list(),
    stubs.list(),
    clock.isFrozen,
    clock.now(),
    decisions.inForce,
  ]);
}

let opened = 0;

/** Runs with new accounts, and closes them afterwards to make room. */
async function withAccounts(count: number, run: (...tokens: string[]) => Promise<void>) {
  const tokens = Array.from({ length: count }, () => `account-${++opened}`);
  try {
    await run(...tokens);
  } finally {
    for (const token of tokens) server.closeAccount(token);
  }
}

describe('a snapshot', () => {
  test('brings back the same records and the same responses, whatever has happened since', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(wild, wild, fc.boolean(), (before, after, isOverHttp) =>
        withAccounts(1, async (token = '') => {
          await carryOut(token, before);
          const account = server.account(token);
          account.clock.freeze(NOW);
          const path = '/__control/snapshots';
          if (isOverHttp) await server.call(token, 'POST', path, { id: 'kept' });
          else account.snapshot('kept');
          const kept = keptOf(account);
          const responses = await carryOut(token, PROBES);

          await carryOut(token, after);
          if (keptOf(account) !== kept) changed += 1;
          const requests = account.journal.list();
          if (isOverHttp) await server.call(token, 'POST', `${path}/kept/restore`);
          else account.restore('kept');

          expect(keptOf(account)).toBe(kept);
          expect(account.journal.list()).toEqual(requests);
          expect(await carryOut(token, PROBES)).toEqual(responses);
        }),
      ),
      RUNS,
    );
    expect(changed).toBeGreaterThan(RUNS.numRuns / 2);
  });
});

describe('an account', () => {
  test('is left untouched in all its parts, whatever happens in another', async () => {
    await fc.assert(
      fc.asyncProperty(calm, wild, (own, others) =>
        withAccounts(3, async (other = '', token = '', twin = '') => {
          const [account, alone] = [server.account(token), server.account(twin)];
          for (const { clock } of [account, alone]) clock.freeze(NOW);
          await carryOut(token, own);
          const [kept, requests] = [keptOf(account), account.journal.list()];

          await carryOut(other, [...others, ...PROBES]);

          expect(keptOf(account)).toBe(kept);
          expect(account.journal.list()).toEqual(requests);
          await carryOut(twin, own);
          expect(await carryOut(token, PROBES)).toEqual(await carryOut(twin, PROBES));
          expect(keptOf(account)).toBe(keptOf(alone));
          expect(account.journal.list()).toEqual(alone.journal.list());
        }),
      ),
      RUNS,
    );
  });
});
