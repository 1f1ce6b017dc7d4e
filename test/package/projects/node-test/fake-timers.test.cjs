const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const FakeTimers = require('@sinonjs/fake-timers');
const { createMockServer } = require('usage-billing-mock');
const { callInEveryWay, EXPECTED } = require('../calls.cjs');

let clock;
let server;

before(async () => {
  // Where the tests run in Node's own realm, so do its streams, which wait for these two.
  clock = FakeTimers.install({ toNotFake: ['nextTick', 'queueMicrotask'] });
  server = await createMockServer();
  await server.start();
});
after(async () => {
  await server.stop();
  clock.uninstall();
});

test('every call is answered under the fake timers of sinon', { timeout: 10_000 }, async () => {
  assert.ok(setImmediate.clock);
  assert.deepEqual(await callInEveryWay(server), EXPECTED);
});
