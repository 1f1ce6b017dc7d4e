import { createMockServer, type MockServer } from 'usage-billing-mock';

let server: MockServer;

beforeAll(async () => {
  server = await createMockServer({ accounts: { 'token-b': { dataset: 'empty' } } });
});

test('one token does not see what another has', async () => {
  const totals = ['token-a', 'token-b'].map(async (token) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await server.fetch('/measurements', { headers });
    return (await response.json()).total;
  });
  expect(await Promise.all(totals)).toEqual([6476, 0]);
});
