import fc from 'fast-check';
import { callOf, callsWith, type PlannedCall } from './calls.js';
import { checkResponse, demand } from './check-response.js';
import type { Target } from './target.js';
import { repeated } from './values.js';

/** A call whose body has blanks for `{{blanks}}`. */
interface BlankPlan {
  readonly call: PlannedCall;
  readonly blanks: string;
}

const ONLY = '{{blanks}}';
const PLACES = [`${ONLY}{{was}}`, `{{was}}${ONLY}`, `${ONLY}{{was}}${ONLY}`, ONLY];

/** Bodies of every operation with more blanks than are parsed at once, and fewer than are refused. */
export function blankPlans(): fc.Arbitrary<BlankPlan> {
  const blanks = repeated([' ', '\t', '\n', '\r', ' \r\n\t'], 1_250_000);
  return fc.record({ call: callsWith(PLACES), blanks });
}

/** Demands that the response is the one to the body without blanks. */
export async function playBlanks(target: Target, { call, blanks }: BlankPlan): Promise<void> {
  const send = async (text: string) => {
    await target.clean();
    const token = target.newToken();
    const response = await target.send(callOf(call, { token, own: 'own', blanks: text }));
    await target.checkAlive();
    checkResponse(response, { path: call.path, token });
    return response;
  };
  // A body of nothing else is none of JSON, but one without anything may be left out.
  const expected = call.body === ONLY ? 400 : (await send('')).status;
  const { status, text } = await send(blanks);
  demand(status === expected, `${expected} as without blanks`, `${status} ${text}`);
}
