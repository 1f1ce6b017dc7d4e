import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBillingClient, priceOf } from './billing-client.mjs';

const client = createBillingClient({
  url: process.env.USAGE_BILLING_MOCK_URL,
  token: process.env.USAGE_BILLING_MOCK_TOKEN,
});

test('deletes a contract and says what it cost', async () => {
  const contract = await client.deleteContract('65b000000000000000000001');
  assert.equal(contract.id, '65b000000000000000000001');
  assert.ok(priceOf(contract).every((price) => price.endsWith('once')));
});

test('deletes usage events', async () => {
  const events = await client.deleteEvents(['acme-2026-03-31-001', 'acme-2026-03-31-002']);
  assert.equal(events.length, 2);
});

test('counts all measurements', async () => {
  assert.ok((await client.countMeasurements()) > 1000);
});
