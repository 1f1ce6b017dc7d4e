import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer();

/** What the control plane says of an account. */
async function fingerprintOf({ get }: ReturnType<typeof controlOf>): Promise<string> {
  const { body } = await get('/account');
  expect(body.fingerprint).toMatch(/^[0-9a-f]+$/);
  return body.fingerprint;
}

test('two accounts of one state have one fingerprint, however each came to it', async () => {
  const [changed, given, untouched] = [controlOf(server), controlOf(server), controlOf(server)];
  const { events } = server.account(changed.token);
  const [, last, ...others] = events.list();
  expect(others.length).toBeGreaterThan(10);
  for (const { id } of others) events.remove(id);
  expect((await changed.delete(`/events/${last?.id}`)).status).toBe(200);
  expect((await given.put('/state', (await changed.get('/state')).body)).ok).toBe(true);
  expect(await fingerprintOf(given)).toBe(await fingerprintOf(changed));
  expect(await fingerprintOf(given)).not.toBe(await fingerprintOf(untouched));
});

test('an account has the fingerprint of one over another dataset with the same records', async () => {
  const elsewhere = await createMockServer({ dataset: 'empty' });
  const [generated, imported] = [controlOf(server), controlOf(elsewhere)];
  const state = server.account(generated.token).exportState();
  elsewhere.account(imported.token).importState(state);
  expect(await fingerprintOf(imported)).toBe(await fingerprintOf(generated));
});

describe('a state of 25 customers before, imported with', () => {
  test.each([
    // Fewer stay than go: the account is filled anew, and none counts as removed.
    [
      { alike: 3, renamed: 0, added: 9 },
      { total: 12, updated: 3, added: 9 },
    ],
    [
      { alike: 8, renamed: 10, added: 0 },
      { total: 17, updated: 10, removed: 7 },
    ],
    [
      { alike: 20, renamed: 1, added: 2 },
      { total: 7, updated: 1, added: 2, removed: 4 },
    ],
  ])('%j has as few changes as it can', async ({ alike, renamed, added }, expected) => {
    const control = controlOf(server);
    const { customers, ...others } = (await control.get('/state')).body;
    expect(customers).toHaveLength(25);
    const state = [
      ...customers.slice(0, alike),
      ...customers
        .slice(alike, alike + renamed)
        .map((customer: object) => ({ ...customer, name: 'Renamed' })),
      ...Array.from({ length: added }, (_, nth) => ({ id: `added-${nth}`, name: 'Added' })),
    ];
    expect((await control.put('/state', { ...others, customers: state })).ok).toBe(true);
    const { total, changes } = (await control.get('/changes?collection=customers')).body;
    const counts: Record<string, number> = { total };
    for (const { change } of changes) counts[change] = (counts[change] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });
});
