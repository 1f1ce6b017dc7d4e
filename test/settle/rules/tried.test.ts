import type { DecisionId } from '../../../src/index.js';
import { runSettle } from '../../../src/settle/run-settle.js';
import {
  type Recorded,
  type Running,
  startService,
  stopService,
  TOKEN,
} from '../truth/billing-service.js';
import { readRecording } from './ask-in-four-ways.js';

let service: Running;
beforeAll(async () => {
  service = await startService({});
  await runSettle({ target: service.url, token: TOKEN, rate: 1000 });
});
afterAll(() => stopService(service));

const isRefused = ({ reply }: Recorded) => reply.status >= 400;
const isMadeUpToken = ({ token }: Recorded) => token !== undefined && token !== TOKEN;

/** What is left out of a recording, and the words for it. */
const LEFT_OUT: readonly (readonly [DecisionId, string, (one: Recorded) => boolean])[] = [
  ['limit-out-of-bounds', '-1', ({ query }) => query.get('limit') === '-1'],
  ['fractional-limit', '3.5', ({ query }) => query.get('limit') === '3.5'],
  [
    'invalid-cursor',
    "like the service's own",
    (one) => isRefused(one) && /^[\da-f]+-\w+/.test(one.query.get('cursor') ?? ''),
  ],
  [
    'unknown-identifier-status',
    'a random id',
    ({ path, reply }) => /^\/customers\/(?!name\/|cus_0)cus_/.test(path) && reply.status === 404,
  ],
  ['unauthorized-status', 'with a made-up token', isMadeUpToken],
  ['optional-fields', 'customers', ({ path }) => path.startsWith('/customers')],
];

/** What was tried for a decision, and what was not. */
async function triedFor(decision: DecisionId, recorded: readonly Recorded[]) {
  const { verdicts } = await readRecording({ url: service.url, recorded });
  const { restsOn = '' } = verdicts.find((one) => one.decision === decision) ?? {};
  const [tried, untried] = restsOn.split('; not tried: ').map((words) => words.split(/, |: /));
  return { tried, untried };
}

describe('settle, of a recording', () => {
  test.each(LEFT_OUT)('says of %s that %s was tried only if it was', async (...row) => {
    const [decision, words, isLeftOut] = row;
    const rest = service.recorded.filter((one) => !isLeftOut(one));
    expect(await triedFor(decision, service.recorded)).toEqual({
      tried: expect.arrayContaining([words]),
      untried: expect.not.arrayContaining([words]),
    });
    expect(await triedFor(decision, rest)).toEqual({
      tried: expect.not.arrayContaining([words]),
      untried: expect.arrayContaining([words]),
    });
  });
});
