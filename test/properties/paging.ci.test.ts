import fc from 'fast-check';
import { interleavings, play } from './interleaving.js';
import { type StartedServer, startServer } from './kept-connections.js';
import { ORDERS, type OrderName } from './listing-model.js';

const SEED = 20_260_101;

const dataset = 'test/support/mixed-records.yaml';
const accounts = {
  'another-seed': { seed: 7 },
  // The seed of the mixed records, so that only the fixture differs.
  'another-fixture': { dataset: 'test/support/twelve-measurements.yaml', seed: 5 },
};
const startOrdered = (order: OrderName) =>
  startServer({ dataset, accounts, decisions: { 'measurement-order': order } });

const servers = Object.fromEntries(
  await Promise.all(ORDERS.map(async (order) => [order, await startOrdered(order)])),
) as Record<OrderName, StartedServer>;
const twin = await startOrdered('usage-date');
const counting = await startServer({ dataset, decisions: { 'total-counts': 'remaining' } });

const opening = twin.account('any').measurements.list();

async function getPage(server: StartedServer, token: string, limit: number, cursor?: string) {
  const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const response = await server.call(token, 'GET', `/measurements?limit=${limit}${query}`);
  return { ...response, body: JSON.parse(response.text) };
}

/** Expects a cursor to be refused, for this reason and without any data. */
function expectRefusal({ status, type, body }: Awaited<ReturnType<typeof getPage>>, why: string) {
  expect({ status, type, problem: body.type, data: body.measurements }).toEqual({
    status: 400,
    type: expect.stringContaining('application/problem+json'),
    problem: 'urn:usage-billing-mock:problem:invalid-cursor',
    data: undefined,
  });
  expect(body.detail).toContain(`': ${why}. Expected`);
}

describe('a page', () => {
  test.each(ORDERS)(
    'has by %s what follows upon its cursor, whoever adds, replaces, removes or resets',
    async (order) => {
      const listing = { server: servers[order], order, counts: 'all', opening } as const;
      await fc.assert(
        fc.asyncProperty(interleavings(opening), (steps) => play(listing, steps)),
        { seed: SEED, numRuns: 250 },
      );
    },
  );

  test('counts what follows upon its cursor where `total` is decided so', async () => {
    const listing = {
      server: counting,
      order: 'usage-date',
      counts: 'remaining',
      opening,
    } as const;
    await fc.assert(
      fc.asyncProperty(interleavings(opening), (steps) => play(listing, steps)),
      { seed: SEED, numRuns: 200 },
    );
  });
});

describe('a cursor', () => {
  const order = fc.constantFrom(...ORDERS);
  /** How many records precede the cursor: fewer than each listing has. */
  const depth = fc.integer({ min: 1, max: 11 });

  test('gives every account the same bytes, on every server over the same dataset', async () => {
    const readers = [
      [servers['usage-date'], 'one'],
      [servers['usage-date'], 'other'],
      [twin, 'one'],
    ] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(depth, { minLength: 1 }), async (limits) => {
        const walked = [];
        let cursor: string | undefined;
        for (let turn = 0; turn === 0 || cursor !== undefined; turn += 1) {
          const limit = limits[turn % limits.length] as number;
          const pages = await Promise.all(
            readers.map(([server, token]) => getPage(server, token, limit, cursor)),
          );
          expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
          const { body } = pages[turn % pages.length] as (typeof pages)[number];
          walked.push(...body.measurements);
          cursor = body.nextCursor;
        }
        // Eight are written, two of them in the place of generated ones, and eight are generated.
        expect(walked).toHaveLength(16);
      }),
      { seed: SEED, numRuns: 50 },
    );
  });

  test('is refused in every listing but its own, for a reason that is told', async () => {
    const token = fc.constantFrom('any', ...Object.keys(accounts));
    const listing = fc.record({ order, token });
    await fc.assert(
      fc.asyncProperty(listing, listing, depth, async (own, other, limit) => {
        fc.pre(own.order !== other.order || own.token !== other.token);
        const { nextCursor } = (await getPage(servers[own.order], own.token, limit)).body;
        expectRefusal(
          await getPage(servers[other.order], other.token, limit, nextCursor),
          own.token === other.token
            ? `it was issued for the listing of measurements by ${own.order}`
            : 'it was issued for another dataset',
        );
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test('is refused when any of its characters was altered, lost or added', async () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const letter = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...letters) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    );
    const put = fc.oneof(letter, fc.constant(''));
    // Counted from the end, whose last character has unused bits.
    const at = fc.oneof(fc.nat(), fc.constant(0));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ order, depth, at, put, taken: fc.constantFrom(0, 1) }),
        async ({ order, depth, at, put, taken }) => {
          const { nextCursor } = (await getPage(servers[order], 'any', depth)).body;
          const place = nextCursor.length - 1 - (at % nextCursor.length);
          const altered = nextCursor.slice(0, place) + put + nextCursor.slice(place + taken);
          fc.pre(altered !== nextCursor);
          expectRefusal(
            await getPage(servers[order], 'any', depth, altered),
            'this mock never issued it, or it was changed or truncated',
          );
        },
      ),
      { seed: SEED, numRuns: 250 },
    );
  });
});
