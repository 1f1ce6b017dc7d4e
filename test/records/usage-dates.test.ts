import { createMockServer, InvalidInputError } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'empty' });
const account = server.account('library');
const wrong = { id: 'm1', usageDate: { year: 2026, month: 2, day: 30 } };
const right = { id: 'm1', usageDate: { year: 2028, month: 2, day: 29 } };

describe('a usage date that no calendar has', () => {
  test.each([
    ['put', () => account.measurements.put(wrong)],
    ['add', () => account.measurements.add(wrong)],
    ['importState', () => account.importState({ measurements: [wrong] })],
  ])('is refused by %s of the library', (_name, act) => {
    expect(act).toThrow(InvalidInputError);
    expect(act).toThrow('a day in the calendar');
    expect(account.measurements.list()).toEqual([]);
  });

  test('is refused by the control plane, which says what was expected', async () => {
    const control = controlOf(server);
    await control.put('/measurements/m1', right).expect(200);
    for (const [call, pointer] of [
      [control.put('/measurements/m1', wrong), '/usageDate'],
      [control.post('/measurements', { ...wrong, id: 'm2' }), '/usageDate'],
      [control.patch('/measurements/m1', { usageDate: { day: 30 } }), '/usageDate'],
      [control.put('/state', { measurements: [right, wrong] }), '/measurements/1/usageDate'],
    ] as const) {
      const { status, body } = await call;
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(
        expect.objectContaining({ pointer, expected: 'a day in the calendar' }),
      );
    }
    expect((await control.get('/measurements/m1')).body).toMatchObject(right);
  });

  test('is shown how it is written if it is a text', () => {
    const text = { id: 'm1', usageDate: '2026-02-03' } as object as typeof right;
    expect(() => account.measurements.put(text)).toThrow(
      `'usageDate' is "2026-02-03"; expected an object such as {"year":2025,"month":12,"day":31}. Correct the value.`,
    );
  });

  test('is not looked for in other records, which have no such member', async () => {
    const customer = { id: 'c1', name: 'Initech', usageDate: wrong.usageDate };
    const { body } = await controlOf(server).put('/customers/c1', customer);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/usageDate', expected: 'a known member' }),
    ]);
  });
});
