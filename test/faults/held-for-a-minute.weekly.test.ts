import { createMockServer } from '../../src/index.js';

test('a hold that nobody removes ends after a minute, and says so', async () => {
  const server = await createMockServer();
  const { contracts, faults } = server.account('t');
  const { id } = faults.add({ kind: 'hold', phase: 'after' });
  const response = await server.fetch('/contracts/65b000000000000000000001', {
    method: 'DELETE',
    headers: { Authorization: 'Bearer t' },
  });
  expect([response.status, await response.json()]).toMatchObject([
    503,
    {
      detail: expect.stringContaining(`Fault ${id} of this account has held this request for 60 s`),
    },
  ]);
  expect(contracts.get('65b000000000000000000001')?.deletedAt).toBeDefined();
});
