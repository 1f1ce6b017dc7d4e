import fc from 'fast-check';
import { createMockServer, type MockServer } from '../../src/index.js';
import { anyCharacter } from '../support/characters.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer();
const RUNS = { seed: 20_260_101, numRuns: 2_000 };

/** The beginning of generated events' and measurements' ids. */
function prefixesOf({ dataset }: MockServer, name: 'events' | 'measurements'): string[] {
  return [...new Set(Array.from(dataset[name], ({ id }) => id.slice(0, 18)))];
}

describe.each(['events', 'measurements'] as const)('of the generated %s', (name) => {
  const known = server.dataset[name];
  const ids = new Map(Array.from(known, (record) => [record.id, record]));
  const prefix = fc.constantFrom(...prefixesOf(server, name).slice(0, 5));
  const ending = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefABF-+. xn_'), maxLength: 8 }),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.integer({ min: -300, max: 300 }).map((number) => number.toString(16)),
    fc.integer({ min: 0, max: 30_000 }).map((number) => number.toString(16).padStart(6, '0')),
    fc.constantFrom('-0', '-1', '-00001', '+00001', '1e5', 'NaN', 'Infinity', '0x0001'),
  );

  test('one is found under its own id, and under no other text', () => {
    const account = server.account(`odd-${name}`);
    const found = Array.from(known, ({ id }) => account[name].get(id));
    expect(JSON.stringify(found)).toBe(JSON.stringify([...known]));
    const wrong = [...ids.keys()].map((id) => `${id}0`).filter((id) => account[name].get(id));
    fc.assert(
      fc.property(prefix, ending, fc.nat({ max: 18 }), (begins, ends, cut) => {
        const texts = [begins + ends, begins.slice(0, cut) + ends, ends];
        wrong.push(...texts.filter((id) => account[name].get(id)?.id !== ids.get(id)?.id));
      }),
      RUNS,
    );
    expect(wrong).toEqual([]);
  });

  test.each(['-1', '-0', '', 'x'])('an id that goes on with %j is one like others', async (end) => {
    const [begins = ''] = prefixesOf(server, name);
    const id = begins + end;
    const control = controlOf(server);
    expect((await control.get(`/${name}/${id}`)).status).toBe(404);
    expect((await control.delete(`/${name}/${id}`)).status).toBe(404);
    expect((await control.put(`/${name}/${id}`, {})).status).toBe(200);
    const state = { [name]: [{ id }], customers: [{ id: 'alone' }] };
    expect((await control.put('/state', state)).status).toBe(200);
    expect((await control.get(`/${name}/${id}`)).status).toBe(200);
  });
});
