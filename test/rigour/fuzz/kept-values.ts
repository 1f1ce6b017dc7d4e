import fc from 'fast-check';
import { callOf, callsWith, callTo } from './calls.js';
import { checkResponse } from './check-response.js';
import { kind } from './kind.js';
import { STATE_BYTES } from './target.js';

/** Calls with texts in places where few are valid. */
const FITTING = [
  callTo('markTest', '', { outcome: 'failed', message: '{{long}}' }),
  callTo('addFault', '', { kind: 'respond', headers: { a: '{{long}}' }, body: 1 }),
  callTo('addFault', '', { kind: 'respond', body: { '{{long}}': 1 } }),
  callTo('addStub', '', { method: 'GET', path: '/a', headers: { a: '{{long}}' } }),
  callTo('addStub', '', { method: 'GET', path: '/a', for: 'server', body: '{{long}}' }),
];

const TEXTS = callsWith(['"{{long}}"', '{"{{long}}":1}'], (one) => typeof one === 'string');

/** How many bytes are sent: far more than the mock may keep. */
const SENT_BYTES = 6 * STATE_BYTES;
/** Includes journals, and what the mock itself needs. */
const MOST_KEPT_BYTES = STATE_BYTES + 16 * 2 ** 20;
const SNAPSHOT = callTo('takeSnapshot', '', {});

/**
 * Every operation with a body, with a long text in place of a valid one, over and over: the mock
 * must refuse what would be too much to keep.
 */
export const kept = kind(
  2,
  fc.record({
    call: fc.oneof(fc.constantFrom(...FITTING), TEXTS),
    character: fc.constantFrom('a', 'a', '\u0101', '\u{1f600}'),
    bytes: fc.integer({ min: 1_000_000, max: 4_000_000 }),
    /** Whether all calls are of one account, with a snapshot taken after each. */
    isOneAccount: fc.boolean(),
  }),
  async (target, { call, character, bytes, isOneAccount }) => {
    await target.clean();
    const bytesBefore = await target.heldBytes();
    const text = character.repeat(Math.ceil(bytes / Buffer.byteLength(character)));
    let token = target.newToken();
    for (let sent = 0; sent < SENT_BYTES; sent += bytes) {
      const filling = { token, own: 'own', long: `t${sent}${text}` };
      const response = await target.send(callOf(call, filling));
      if (response.failure !== undefined) await target.checkAlive();
      checkResponse(response, { path: call.path, token });
      if (Number(response.status) >= 400) break;
      if (isOneAccount) await target.send(callOf(SNAPSHOT, filling));
      else token = target.newToken();
    }
    await target.checkHeld(bytesBefore, MOST_KEPT_BYTES);
  },
);
