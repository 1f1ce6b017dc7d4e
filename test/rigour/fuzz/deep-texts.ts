import fc from 'fast-check';
import { toBase64Url } from '../../../src/core/billing/cursor.js';
import { hexHash } from '../../../src/core/store/hash.js';
import { callOf, callsWith, callTo, type PlannedCall } from './calls.js';
import { checkResponse, demand } from './check-response.js';
import { kind } from './kind.js';

/** Bodies of every operation, and cursors that fit in a request line. */
function deepPlans() {
  const plans = (call: fc.Arbitrary<PlannedCall>, max: number) =>
    fc.record({
      call,
      brackets: fc.constantFrom<readonly [string, string]>(
        ['[', ']'],
        ['{"a":', '}'],
        ['[{"a":', '}]'],
      ),
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

/** Deeply nested values, in a body (`{{deep}}`) or a cursor, which must be refused. */
export const depth = kind(1, deepPlans(), async (target, plan) => {
  await target.clean();
  const { call, brackets, levels, isClosed } = plan;
  const [open, close] = brackets;
  const json = `${open.repeat(levels)}1${isClosed ? close.repeat(levels) : ''}`;
  const deep = call.body === undefined ? toBase64Url(hexHash(8, json) + json) : json;
  const token = target.newToken();
  const response = await target.send(callOf(call, { token, own: 'own', deep }));
  await target.checkAlive();
  checkResponse(response, { path: call.path, token });
  demand(Number(response.status) >= 400, 'a refusal', response.status);
});
