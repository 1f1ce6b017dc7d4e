import fc from 'fast-check';
import { toBase64Url } from '../../../src/billing/cursor.js';
import { hexHash } from '../../../src/store/hash.js';
import { callOf, callsWith, callTo, type PlannedCall } from './calls.js';
import { checkResponse, demand } from './check-response.js';
import type { Target } from './target.js';

/** A call with a text that is nested deep, in its body for `{{deep}}` or as a cursor. */
interface DeepPlan {
  readonly call: PlannedCall;
  readonly open: string;
  readonly levels: number;
  readonly isClosed: boolean;
}

/** Bodies of every operation, and cursors, which are no longer than fits in a request line. */
export function deepPlans(): fc.Arbitrary<DeepPlan> {
  const plans = (call: fc.Arbitrary<PlannedCall>, max: number) =>
    fc.record({
      call,
      open: fc.constantFrom('[', '{"a":', '[{"a":'),
      levels: fc.integer({ min: 101, max }),
      isClosed: fc.boolean(),
    });
  const pages = ['listMeasurements', 'listChanges', 'listAccounts'].map((id) => callTo(id));
  const cursors = fc.constantFrom(...pages.map((one) => ({ ...one, query: 'cursor={{deep}}' })));
  const bodies = fc
    .tuple(callsWith(['{{deep}}']), fc.constantFrom(undefined, 'gzip', 'br'))
    .map(([call, coding]) => ({ ...call, coding }));
  return fc.oneof({ weight: 4, arbitrary: plans(bodies, 2_000_000) }, plans(cursors, 1_000));
}

/** Demands that it is refused, and that the mock goes on. */
export async function playDeep(target: Target, plan: DeepPlan): Promise<void> {
  await target.clean();
  const { call, open, levels, isClosed } = plan;
  const close = { '[': ']', '{"a":': '}' }[open] ?? '}]';
  const json = `${open.repeat(levels)}1${isClosed ? close.repeat(levels) : ''}`;
  const deep = call.body === undefined ? toBase64Url(hexHash(8, json) + json) : json;
  const token = target.newToken();
  const response = await target.send(callOf(call, { token, own: 'own', deep }));
  await target.checkAlive();
  checkResponse(response, { path: call.path, token });
  demand(Number(response.status) >= 400, 'a refusal', response.status);
}
