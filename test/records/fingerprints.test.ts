import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer();

/** What the control plane shows of an account. */
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
