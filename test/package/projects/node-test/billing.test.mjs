import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMockServer } from 'usage-billing-mock';

const server = await createMockServer();
before(() => server.start());
after(() => server.stop());

test('a customer is found by its name', async () => {
  const response = await fetch(`${server.url}/customers/name/Acme%20Corporation`, {
    headers: { Authorization: 'Bearer node-test' },
  });
  const { customer } = await response.json();
  assert.equal(customer.id, '65a000000000000000000001');
});
