import fc from 'fast-check';
import { createMockServer, type Measurement } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer({ dataset: 'test/support/twelve-measurements.yaml' });

/** What happens between two pages: the records that come, and those that go (by position). */
const change = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  added: fc.array(
    fc.record({
      id: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
      day: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 4 },
  ),
  removed: fc.array(fc.nat(), { maxLength: 3 }),
});

/** Where a measurement stands in the listing, as text that sorts so. */
function placeOf({ id, usageDate }: Pick<Measurement, 'id' | 'usageDate'>): string {
  return `${usageDate?.day} ${id}`;
}

describe('a walk through a listing that changes', () => {
  test('returns every measurement that lives throughout exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const client = clientOf(server);
        const { measurements } = server.account(client.token);
        const survivors = new Set(measurements.list().map(({ id }) => id));
        const returned: string[] = [];

        let page: { nextCursor?: string; hasMore: boolean } = { hasMore: true };
        let last = '';
        for (let turn = 0; page.hasMore; turn += 1) {
          const { limit = 5, added = [], removed = [] } = changes[turn] ?? {};
          const query = { limit, ...(page.nextCursor && { cursor: page.nextCursor }) };
          const { status, body } = await client.get('/measurements').query(query);

          const following = measurements
            .list()
            .filter((measurement) => placeOf(measurement) > last)
            .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
          expect(status).toBe(200);
          expect(body.measurements).toEqual(following.slice(0, limit));
          expect(body.total).toBe(measurements.list().length);
          expect(body.hasMore).toBe(following.length > limit);
          expect(body.hasMore).toBe(body.nextCursor !== undefined);
          returned.push(...body.measurements.map(({ id }: Measurement) => id));
          last = body.hasMore ? placeOf(body.measurements.at(-1)) : last;
          page = body;

          for (const { id, day } of added) {
            // One of this id that moves to another day would be another record.
            if (measurements.get(id)) continue;
            measurements.put({ id, usageDate: { year: 2026, month: 1, day } });
          }
          for (const position of removed) {
            const all = measurements.list();
            const victim = all[position % all.length];
            if (!victim) continue;
            measurements.remove(victim.id);
            survivors.delete(victim.id);
          }
        }

        const timesReturned = [...survivors].map((id) => returned.filter((seen) => seen === id));
        expect(timesReturned.filter((times) => times.length !== 1)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('returns the same records whatever the limits of its pages are', async () => {
    const client = clientOf(server);
    const whole = (await client.get('/measurements?limit=1000')).body.measurements;
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 1, max: 13 })), async (limits) => {
        const walked = [];
        let cursor: string | undefined;
        do {
          const limit = limits.next().value;
          const { body } = await client.get('/measurements').query({ limit, cursor });
          walked.push(...body.measurements);
          cursor = body.nextCursor;
        } while (cursor);
        expect(walked).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });
});
