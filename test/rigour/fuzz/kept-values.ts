import fc from 'fast-check';
import { callOf, callsWith, callTo, type PlannedCall } from './calls.js';
import { checkResponse } from './check-response.js';
import { STATE_BYTES, type Target } from './target.js';

/** A call that keeps a text, which stands in it for `{{long}}`, made again and again. */
interface KeptPlan {
  readonly call: PlannedCall;
  readonly character: string;
  readonly bytes: number;
  /** Whether all calls are of one account, with a snapshot taken after each. */
  readonly isOneAccount: boolean;
}

/** Texts that have to fit where few do. */
const FITTING = [
  callTo('patchDecisions', '', { 'optional-fields': '/customer/{{long}}' }),
  callTo('markFailed', '', { message: '{{long}}' }),
  callTo('addFault', '', { kind: 'respond', headers: { a: '{{long}}' }, body: 1 }),
  callTo('addFault', '', { kind: 'respond', body: { '{{long}}': 1 } }),
  callTo('addStub', '', { method: 'GET', path: '/a', headers: { a: '{{long}}' } }),
  callTo('addStub', '', { method: 'GET', path: '/a', for: 'server', body: '{{long}}' }),
];

/** Every operation with a body, with a long text in place of one that it may have. */
export function keptPlans(): fc.Arbitrary<KeptPlan> {
  const anyText = callsWith(['"{{long}}"', '{"{{long}}":1}'], (one) => typeof one === 'string');
  return fc.record({
    call: fc.oneof(fc.constantFrom(...FITTING), anyText),
    character: fc.constantFrom('a', 'a', '\u0101', '\u{1f600}'),
    bytes: fc.integer({ min: 1_000_000, max: 15_000_000 }),
    isOneAccount: fc.boolean(),
  });
}

/** What is sent in all: far more than may be kept. */
const SENT_BYTES = 6 * STATE_BYTES;
/** With journals, and what the mock needs for itself. */
const MOST_KEPT_BYTES = STATE_BYTES + 16 * 2 ** 20;
const SNAPSHOT = callTo('takeSnapshot', '', {});

/** Demands that what is kept is bounded, and that what would be too much is refused with a problem. */
export async function playKept(target: Target, plan: KeptPlan): Promise<void> {
  await target.clean();
  const bytesBefore = await target.heldBytes();
  const { call, character, bytes, isOneAccount } = plan;
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
}
