import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { createMockServer } from 'usage-billing-mock';
import { callInEveryWay, EXPECTED } from '../calls.cjs';

const server = await createMockServer();
before(() => server.start());
after(() => server.stop());

test('every call is answered under the fake timers of sinon', { timeout: 10_000 }, async () => {
  // Where the tests run in Node's own realm, so do its streams, which wait for these two.
  const clock = FakeTimers.install({ toNotFake: ['nextTick', 'queueMicrotask'] });
  assert.ok(setImmediate.clock);
  const statuses = await callInEveryWay(server).finally(clock.uninstall);
  assert.deepEqual(statuses, EXPECTED);
});

test('every call is answered under the fake timers of Node', { timeout: 10_000 }, async () => {
  mock.timers.enable();
  const statuses = await callInEveryWay(server).finally(() => mock.timers.reset());
  assert.deepEqual(statuses, EXPECTED);
});
