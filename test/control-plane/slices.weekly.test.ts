import { isDeepStrictEqual } from 'node:util';
import { createMockServer, type MockServer } from '../../src/index.js';
import { fetchAs } from '../support/fetching.js';
import { writeFixture } from '../support/fixture.js';

const MEASUREMENTS = 150_000;
const dataset = writeFixture(`
generate:
  { from: 2026-01-01, to: 2026-02-19, customers: 1500, gaps: 0,
    meters: [{ id: m1, dailyUsage: 5 }, { id: m2, dailyUsage: 7 }] }
`);
const server = await createMockServer({ dataset });
await server.start();
afterAll(() => server.stop());

/** Work that blocks all others lets one or two through, just before and just after. */
const FEW = 3;

/** A control request, and what others did while it was under way. */
async function meanwhile(
  at: MockServer,
  path: string,
  init: RequestInit = {},
  act: (nth: number) => unknown = () => {},
) {
  let isUnderWay = true;
  const asked = fetchAs(at, 'busy', `/__control${path}`, init).finally(() => {
    isUnderWay = false;
  });
  let answered = 0;
  while (isUnderWay) {
    const { status } = await fetchAs(at, 'other', '/__control/health');
    expect(status).toBe(200);
    if (isUnderWay) {
      answered += 1;
      act(answered);
    }
  }
  return { ...(await asked), answered };
}

const stateOf = (customers: number) =>
  JSON.stringify({
    customers: Array.from({ length: customers }, (_, nth) => ({ id: `c-${nth}`, name: 'Acme' })),
  });
const state = stateOf(1_000);
const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: state };

describe('a long request', () => {
  test('a page is searched for over so many records at most', async () => {
    const search = '/__control/measurements?text=nowhere-at-all';
    const { text } = await fetchAs(server, 'busy', search);
    const { nextCursor, ...page } = JSON.parse(text);
    expect(page).toEqual({ records: [], searched: 100_000 });
    const rest = await fetchAs(server, 'busy', `${search}&cursor=${nextCursor}`);
    expect(JSON.parse(rest.text)).toEqual({ records: [], searched: MEASUREMENTS - 100_000 });
  });

  test('mistakes are told by their places in the whole list', async () => {
    const customers = JSON.parse(state).customers;
    customers[750] = { id: 'bad', name: 7 };
    customers[999] = { id: 'c-3' };
    const body = JSON.stringify({ customers });
    const { status, text } = await fetchAs(server, 'busy', '/__control/state', { ...put, body });
    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toEqual([
      expect.objectContaining({ pointer: '/customers/750/name' }),
      expect.objectContaining({ pointer: '/customers/999/id', expected: 'a unique id' }),
    ]);
    expect(() => server.account('busy').importState({ customers })).toThrow(
      /^'customers\/750\/name' is .* 'customers\/999\/id' is .*; expected a unique id/,
    );
  });
});

describe('while a full journal is written', () => {
  const CALLS = 100;
  let full: MockServer;
  beforeAll(async () => {
    full = await createMockServer({ dataset, captureBodies: true });
    await full.start();
    for (let nth = 0; nth < CALLS; nth += 1) {
      await fetchAs(full, 'busy', '/measurements?limit=1000');
    }
  });
  afterAll(() => full.stop());

  test('as an HTTP archive, others are served', async () => {
    // Without its body, whose sending would let others through.
    const { answered } = await meanwhile(full, '/requests/har', { method: 'HEAD' });
    expect(answered).toBeGreaterThan(FEW);
    const { text } = await fetchAs(full, 'busy', '/__control/requests/har');
    // Not compared by jest, which would take a minute.
    expect(isDeepStrictEqual(JSON.parse(text), full.account('busy').journal.toHar())).toBe(true);
  });

  test('it is shown as it was, though it is cleared meanwhile', async () => {
    const { text, answered } = await meanwhile(full, '/requests/har', {}, (nth) => {
      if (nth === 1) full.account('busy').journal.clear();
    });
    expect(answered).toBeGreaterThan(FEW);
    const { log } = JSON.parse(text);
    expect(log.entries).toHaveLength(CALLS);
    expect(log).not.toHaveProperty('comment');
  });
});

describe('a state over HTTP', () => {
  const CUSTOMERS = 25_000;
  const largest = stateOf(CUSTOMERS).padEnd(4 * 2 ** 20, ' ');

  test('of 4 MB is put in place', async () => {
    const { status, text } = await fetchAs(server, 'whole', '/__control/state', {
      ...put,
      body: largest,
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ customers: CUSTOMERS, measurements: 0 });
    server.closeAccount('whole');
  });

  test('of more is refused, and told where to put it', async () => {
    const { status, text } = await fetchAs(server, 'whole', '/__control/state', {
      ...put,
      body: `${largest} `,
    });
    expect(status).toBe(413);
    expect(JSON.parse(text).detail).toContain('put the records into a fixture (--dataset)');
    const body = stateOf(CUSTOMERS + 1);
    const many = await fetchAs(server, 'whole', '/__control/state', { ...put, body });
    expect(many.status).toBe(413);
    expect(JSON.parse(many.text).detail).toContain('expected at most 25000. Send it in several');
    expect(server.account('whole').customers.list()).toHaveLength(1_500);
  });
});

test('millions of wrong values are refused with a short problem', async () => {
  const body = `{"aliases":[${'1,'.repeat(2_000_000)}1]}`;
  const { status, text } = await fetchAs(server, 'busy', '/__control/customers/c-1', {
    ...put,
    body,
  });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(10_000);
});
