import type { SettleReport } from '../../src/index.js';
import type { Rules } from '../support/billing-service.js';
import { askService } from './truth/ask-service.js';

/** Changes customers before they are sent. */
const ask = async (change: object) => {
  const shows: Rules['shows'] = (record, kind) =>
    kind === 'customer' ? { ...record, ...change } : record;
  return (await askService({ rules: { shows } }, 'GET alone')).report;
};

/** The verdicts in short, by their decisions. */
function inShort({ verdicts }: SettleReport): Record<string, unknown> {
  return Object.fromEntries(
    verdicts.map(({ decision, verdict, value }) => [decision, value ?? verdict]),
  );
}

describe('settle, of a service that is not this mock,', () => {
  test('finds nothing wrong with what the document has, and judges no deletion', async () => {
    const report = await ask({});
    expect(report.violations).toEqual([]);
    expect(inShort(report)).toMatchObject({ 'repeat-delete': 'could-not-check' });
  });

  test('tells in bounded time what is wrong with texts of a megabyte', async () => {
    const text = '@'.repeat(1_000_000);
    const hostile = { contacts: [{ email: text }], address: text, createdAt: text, [text]: text };
    const report = await ask({ ...hostile, id: 'c1' });
    const places = report.violations.map(({ pointer, example }) => `${pointer}: ${example}`);
    const shape = 'a text of 1000000 characters';
    const expected = ['address', 'createdAt'].map((name) => `/customer/${name}: ${shape}`);
    expect(places).toEqual(expect.arrayContaining(expected));
    expect(JSON.stringify(report).length).toBeLessThan(100_000);
  });

  test('lists what the document does not have, once, and nothing personal', async () => {
    const report = await ask({ source: 'Fax', vip: 'Ms Étoile', contacts: [{ email: 1 }] });
    const found = report.violations.map(({ operationId, kind, pointer }) =>
      [operationId, kind, pointer].join(' '),
    );
    expect(found).toEqual([...new Set(found)]);
    for (const operation of ['getCustomer', 'getCustomerByName']) {
      expect(found).toContain(`${operation} wrong-type /customer/contacts/*/email`);
    }
    expect(JSON.stringify(report)).not.toMatch(/Étoile|SF-100|cus_7Kq2mZ/);
    expect(inShort(report)).toMatchObject({ 'undocumented-fields': 'extra' });
  });
});
