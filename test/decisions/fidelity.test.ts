import { LEDGER } from '../../src/core/decisions/ledger.js';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer();

interface Row {
  readonly behaviour: string;
  readonly basis: string;
  readonly section?: string;
  readonly decision?: string;
  readonly value?: string;
}

async function behaviours(control = controlOf(server)): Promise<readonly Row[]> {
  return (await control.get('/fidelity').expect(200)).body.behaviours;
}

describe('GET /__control/fidelity', () => {
  test('has every decision of the ledger once, with its section', async () => {
    const decided = (await behaviours()).filter(({ basis }) => basis === 'decided');
    expect(decided.map(({ decision, section }) => [decision, section])).toEqual(
      Object.entries(LEDGER).map(([id, { section }]) => [id, section]),
    );
  });

  test('says what a behaviour is under the decisions of the account', async () => {
    const control = controlOf(server);
    await control.patch('/decisions', { 'repeat-delete': 'gone', 'rate-limit': '7000/1m' });
    const rows = await behaviours(control);
    expect(rows).toContainEqual({
      behaviour: 'What does a second delete of a contract return? 410 Gone.',
      basis: 'decided',
      section: '3',
      decision: 'repeat-delete',
      value: 'gone',
    });
    expect(rows).toContainEqual(
      expect.objectContaining({ decision: 'rate-limit', value: '7000/1m' }),
    );
  });

  test('says of every behaviour where it comes from, and of what is chosen no section', async () => {
    const rows = await behaviours();
    expect(new Set(rows.map(({ basis }) => basis))).toEqual(
      new Set(['stated', 'decided', 'fixed', 'chosen']),
    );
    for (const { basis, section, behaviour } of rows) {
      expect([behaviour, section === undefined]).toEqual([behaviour, basis === 'chosen']);
    }
  });
});
