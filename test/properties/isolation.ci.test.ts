import fc from 'fast-check';
import type { AccountControl, ResourceName, UsageEvent } from '../../src/index.js';
import { startServer } from './kept-connections.js';

const SEED = 20_260_101;
const STAMP = '2026-01-01T00:00:00.000Z';

const server = await startServer({ dataset: 'test/support/mixed-records.yaml' });
const opening = server.account('opening');

const resources = ['customers', 'contracts', 'measurements', 'events'] as const;
const contractIds = opening.contracts.list().map(({ id }) => id);
const texts = ['new', 'Written', 'written-external', 'shared-ref'];
const refs = [...new Set([...texts, ...opening.events.list().flatMap(({ ref = [] }) => ref)])];
const keys = opening.customers.list().flatMap(({ id, externalId, name }) => [id, externalId, name]);
const paths = [
  ...[...keys, ...texts].flatMap((key = '') => {
    const value = encodeURIComponent(key);
    return [`/customers/${value}`, `/customers/name/${value}`];
  }),
  '/measurements?limit=1000',
  '/measurements?limit=3',
];
const untouched = await responsesOf('opening');

/** What an account does; numbers are indexes of listed records, modulo the length of the list. */
type Deed =
  | { readonly act: 'delete a contract'; readonly id: string }
  | { readonly act: 'delete events'; readonly refs: readonly string[] }
  | { readonly act: 'reset' }
  | ({ readonly resource: ResourceName } & (
      | { readonly act: 'put'; readonly id: string; readonly text: string }
      | { readonly act: 'replace'; readonly record: number; readonly text: string }
      | { readonly act: 'remove'; readonly record: number }
      | { readonly act: 'write into all' }
    ));

// Most mistakes are possible in what operations find by a text.
const resource = fc.constantFrom(...resources, 'customers', 'events', 'events');
const id = fc.constantFrom('new', 'written-event-1');
const record = fc.nat({ max: 99 });
const text = fc.constantFrom(...texts);
const act = <Act extends Deed['act']>(name: Act) => fc.constant(name);
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({ act: act('delete a contract'), id: fc.constantFrom('new', ...contractIds) }),
    fc.record({ act: act('delete events'), refs: fc.subarray(refs) }),
    { arbitrary: fc.record({ act: act('put'), resource, id, text }), weight: 4 },
    fc.record({ act: act('replace'), resource, record, text }),
    fc.record({ act: act('remove'), resource, record }),
    fc.record({ act: act('write into all'), resource }),
    fc.record({ act: act('reset') }),
  ),
  { maxLength: 15, size: 'max' },
);

async function carryOut(token: string, deed: Deed): Promise<void> {
  const account = server.account(token);
  switch (deed.act) {
    case 'delete a contract':
      await server.call(token, 'DELETE', `/contracts/${deed.id}`);
      break;
    case 'delete events':
      await server.call(token, 'POST', '/events/delete-by-refs', { refs: deed.refs });
      break;
    case 'reset':
      account.reset();
      break;
    case 'put':
      put(account, deed.resource, deed.id, deed.text);
      break;
    case 'replace':
      put(account, deed.resource, idOf(account, deed), deed.text);
      break;
    case 'remove':
      account[deed.resource].remove(idOf(account, deed));
      break;
    case 'write into all':
      account[deed.resource].list().forEach(writeInto);
  }
}

function idOf(account: AccountControl, deed: { resource: ResourceName; record: number }): string {
  const all = account[deed.resource].list();
  return all[deed.record % all.length]?.id ?? 'new';
}

/** Puts a record with the text in every place by which records are found. */
function put(account: AccountControl, resource: ResourceName, id: string, text: string): void {
  const stamped = { id, createdAt: STAMP, updatedAt: STAMP };
  const putInto: Record<ResourceName, () => unknown> = {
    customers: () =>
      account.customers.put({ ...stamped, name: text, externalId: text, aliases: [text] }),
    contracts: () => account.contracts.put({ ...stamped, name: text }),
    measurements: () => account.measurements.put({ ...stamped, meterId: text }),
    events: () => account.events.put({ ...stamped, ref: text }),
  };
  putInto[resource]();
}

/** Tries to change a record that was handed out, at every depth. */
function writeInto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    writeInto(member);
    Reflect.set(value, key, 'written into');
  }
}

/** The responses, byte for byte, to every read of an account. */
async function responsesOf(token: string): Promise<readonly string[]> {
  const responses = await Promise.all(paths.map((path) => server.call(token, 'GET', path)));
  const account = server.account(token);
  return [
    ...responses.map(({ status, type, text }) => `${status} ${type} ${text}`),
    ...resources.map((resource) => JSON.stringify(account[resource].list())),
  ];
}

/** Deletes all that can be deleted; returns the responses without times. */
async function lastResponsesOf(token: string): Promise<readonly string[]> {
  const responses = [];
  for (const id of [...contractIds, ...texts]) {
    responses.push(await server.call(token, 'DELETE', `/contracts/${id}`));
  }
  responses.push(await server.call(token, 'POST', '/events/delete-by-refs', { refs }));
  const time = /(?<="deletedAt":"|already deleted, at )[-:.\dTZ]+/g;
  return responses.map(({ status, text }) => `${status} ${text.replaceAll(time, 'then')}`);
}

let opened = 0;

/** Runs with new accounts, and closes them afterwards to make room. */
async function withAccounts(
  count: number,
  run: (...tokens: string[]) => Promise<void>,
): Promise<void> {
  const tokens = Array.from({ length: count }, () => `account-${++opened}`);
  try {
    await run(...tokens);
  } finally {
    for (const token of tokens) server.closeAccount(token);
  }
}

describe('an account', () => {
  test('answers as if no other were there, whatever others do', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, deeds, (own, others) =>
        withAccounts(3, async (token, twin, other) => {
          for (const deed of own) await carryOut(token, deed);
          const before = await responsesOf(token);
          for (const deed of others) await carryOut(other, deed);
          expect(await responsesOf(token)).toEqual(before);

          for (const deed of own) await carryOut(twin, deed);
          expect(await lastResponsesOf(token)).toEqual(await lastResponsesOf(twin));
        }),
      ),
      { seed: SEED, numRuns: 100 },
    );
  });

  test('is, once it is reset, as one that is new', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, deeds, (before, after) =>
        withAccounts(2, async (token, fresh) => {
          for (const deed of before) await carryOut(token, deed);
          server.account(token).reset();
          expect(await responsesOf(token)).toEqual(untouched);
          expect(await responsesOf(fresh)).toEqual(untouched);

          for (const deed of after) {
            await carryOut(token, deed);
            await carryOut(fresh, deed);
          }
          expect(await lastResponsesOf(token)).toEqual(await lastResponsesOf(fresh));
        }),
      ),
      { seed: SEED, numRuns: 100 },
    );
  });

  test('finds under a ref what its list has under it, and each event once', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.constantFrom(...refs), (all, ref) =>
        withAccounts(1, async (token) => {
          for (const deed of all) await carryOut(token, deed);
          const expected = server
            .account(token)
            .events.list()
            .filter((event) => event.ref === ref && event.deletedAt === undefined)
            .map(({ id }) => id);
          const body = { refs: [ref] };
          const response = await server.call(token, 'POST', '/events/delete-by-refs', body);
          const deleted = JSON.parse(response.text).events.map(({ id }: UsageEvent) => id);
          expect(deleted.sort()).toEqual(expected.sort());
        }),
      ),
      { seed: SEED, numRuns: 300 },
    );
  });
});
