import type { DecisionId } from '../../../src/index.js';
import { type Recorded, TOKEN } from '../../support/billing-service.js';
import { readRecording } from '../truth/ask-service.js';
import { askAndRead } from './ask-in-four-ways.js';

let sent: readonly Recorded[];
beforeAll(async () => {
  ({ sent } = await askAndRead({ rules: () => ({}) }, 'GET alone'));
});

/** What a recording lacks, and the words for that. */
const LEFT_OUT: readonly (readonly [DecisionId, string, (one: Recorded) => boolean])[] = [
  ['limit-out-of-bounds', '0', ({ query }) => query.get('limit') === '0'],
  ['fractional-limit', '2.7', ({ query }) => query.get('limit') === '2.7'],
  [
    'invalid-cursor',
    "like the service's own",
    ({ query, reply }) => reply.status === 400 && /^[\da-f]+-\w+/.test(query.get('cursor') ?? ''),
  ],
  [
    'unknown-identifier-status',
    'a random id',
    ({ path, reply }) => /^\/customers\/(?!name\/|cus_0+$)cus_/.test(path) && reply.status === 404,
  ],
  ['unauthorized-status', 'with a made-up token', ({ token = TOKEN }) => token !== TOKEN],
  ['optional-fields', 'customers', ({ path }) => path.startsWith('/customers')],
];

/** What was tried for a decision, and what was not. */
async function triedFor(decision: DecisionId, recorded: readonly Recorded[]) {
  const { verdicts } = await readRecording({ url: 'http://127.0.0.1', recorded });
  const { restsOn = '' } = verdicts.find((one) => one.decision === decision) ?? {};
  const [tried, untried] = restsOn.split('; not tried: ').map((words) => words.split(/, |: /));
  return { tried, untried };
}

describe('settle, of a recording', () => {
  test.each(LEFT_OUT)('says of %s that %s was tried only if it was', async (...row) => {
    const [decision, words, isLeftOut] = row;
    const rest = sent.filter((one) => !isLeftOut(one));
    expect(await triedFor(decision, sent)).toEqual({
      tried: expect.arrayContaining([words]),
      untried: expect.not.arrayContaining([words]),
    });
    expect(await triedFor(decision, rest)).toEqual({
      tried: expect.not.arrayContaining([words]),
      untried: expect.arrayContaining([words]),
    });
  });

  test('leaves error-body open if no invalid request was recorded', async () => {
    const rest = sent.filter(({ reply }) => reply.status !== 400);
    const [ofAll, ofRest] = await Promise.all(
      [sent, rest].map(async (recorded) => {
        const { verdicts } = await readRecording({ url: 'http://127.0.0.1', recorded });
        return verdicts.find(({ decision }) => decision === 'error-body');
      }),
    );
    expect(ofAll).toMatchObject({ verdict: 'settled' });
    expect(ofRest).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('no response to an invalid request was seen'),
    });
  });

  test('says of invalid-request-status that no body was tried if none was', async () => {
    expect(await triedFor('invalid-request-status', sent)).toEqual({
      tried: expect.not.arrayContaining(['body']),
      untried: expect.arrayContaining(['body']),
    });
  });
});
