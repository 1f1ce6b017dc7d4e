import { type AccountFixture, createMockServer } from '../../src/index.js';
import { textOf } from '../support/pages.js';

/** Every id in the records of a fixture, in order, with the name of its member. */
function idsIn(value: unknown, name = ''): [name: string, id: unknown][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inside]) => idsIn(inside, key));
  return /^id$|Id$/.test(name) ? [[name, value]] : [];
}

test('docs/fixtures.md says which ids an anonymised fixture keeps', async () => {
  const account = (await createMockServer()).account('t');
  const recordsOf = ({ customers, contracts, measurements }: AccountFixture) => [
    ...[customers?.slice(0, 5), contracts?.slice(0, 5), measurements?.slice(0, 5)],
  ];
  const before = idsIn(recordsOf(account.fixture({ whole: true, keepNames: true })));
  const after = idsIn(recordsOf(account.fixture({ whole: true })));
  const kept = before.filter(([, id], nth) => after[nth]?.[1] === id).map(([name]) => name);
  const replaced = before.filter(([, id], nth) => after[nth]?.[1] !== id).map(([name]) => name);
  expect([...new Set(kept)].sort()).toEqual(['catalogProductId', 'customerId', 'id', 'meterId']);
  expect(replaced).toEqual(expect.arrayContaining(['customerErpId', 'crmOpportunityId']));
  expect(textOf('docs/fixtures.md').replaceAll(/\s+/g, ' ')).toContain(
    'ids of other systems (such as `customerErpId`), refs, `data` and undocumented members. Equal',
  );
  expect(textOf('docs/fixtures.md').replaceAll(/\s+/g, ' ')).toContain(
    'the ids of records, meters and catalog products stay.',
  );
});
