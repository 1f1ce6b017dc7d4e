import { jest } from '@jest/globals';
import { createMockServer, type MockServer } from '../../src/index.js';
import { createSocketFetch } from '../../src/kits/shared-mock/socket-fetch.js';

let server: MockServer;
let fetch: ReturnType<typeof createSocketFetch>;

beforeAll(async () => {
  server = await createMockServer({});
  fetch = createSocketFetch(await server.start());
});

afterAll(() => server.stop());

test.each(['before it is read', 'after it has arrived'])('a body is cancelled %s', async (when) => {
  const response = await fetch('/__control/health');
  if (when === 'after it has arrived') await fetch('/__control/health');
  await response.body?.cancel();
  expect((await fetch('/__control/health')).status).toBe(200);
});

test('a call is answered under fake timers, modern or legacy', async () => {
  for (const legacyFakeTimers of [false, true]) {
    jest.useFakeTimers({ legacyFakeTimers });
    const response = await fetch('/__control/health');
    expect(await response.text()).toMatch(/^{/);
    jest.useRealTimers();
  }
});

test.each([
  ['reset', 'ECONNRESET'],
  ['empty', 'UND_ERR_SOCKET'],
] as const)('a fault %s has the code of the global fetch', async (kind, code) => {
  await server.account(kind).faults.add({ operationId: 'listMeasurements', kind });
  const call = fetch('/measurements', { headers: { Authorization: `Bearer ${kind}` } });
  await expect(call).rejects.toMatchObject({ cause: { code } });
});
