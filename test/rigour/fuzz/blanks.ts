import fc from 'fast-check';
import { callOf, callsWith } from './calls.js';
import { checkResponse, demand } from './check-response.js';
import { kind } from './kind.js';
import { repeated } from './values.js';

const ONLY = '{{blanks}}';
const PLACES = [`${ONLY}{{was}}`, `{{was}}${ONLY}`, `${ONLY}{{was}}${ONLY}`, ONLY];

/**
 * Bodies of every operation with more blanks than are parsed at once, and fewer than are refused.
 * The response must be the same as without them.
 */
export const blanks = kind(
  1,
  fc.record({
    call: callsWith(PLACES),
    blanks: repeated([' ', '\t', '\n', '\r', ' \r\n\t'], 1_250_000),
  }),
  async (target, { call, blanks }) => {
    const send = async (text: string) => {
      await target.clean();
      const token = target.newToken();
      const response = await target.send(callOf(call, { token, own: 'own', blanks: text }));
      await target.checkAlive();
      checkResponse(response, { path: call.path, token });
      return response;
    };
    // A body of only blanks is not JSON; an empty one may count as left out.
    const expected = call.body === ONLY ? 400 : (await send('')).status;
    const { status, text } = await send(blanks);
    demand(status === expected, `${expected} as without blanks`, `${status} ${text}`);
  },
);
