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
const LEFT_OUT: readonly (readonly [DecisionId, string, (one: Recorded) => boolean, RegExp])[] = [
  [
    'limit-out-of-bounds',
    'a limit of -1',
    ({ query }) => query.get('limit') === '-1',
    /-1|[^\d]3 limits/,
  ],
  [
    'invalid-cursor',
    'a cursor in the letters of the service',
    (one) => isRefused(one) && /^[\da-f]+-\w+/.test(one.query.get('cursor') ?? ''),
    /letters/,
  ],
  [
    'unknown-identifier-status',
    'random ids and names',
    (one) => one.path.startsWith('/customers') && isRefused(one) && !one.path.includes('0000'),
    /random/,
  ],
  ['unauthorized-status', 'made-up tokens', isMadeUpToken, /made-up/],
];

describe('settle, of a recording', () => {
  test.each(LEFT_OUT)('does not say of %s that %s was tried if it lacks that', async (...row) => {
    const [decision, , isLeftOut, words] = row;
    const recorded = service.recorded.filter((one) => !isLeftOut(one));
    expect(recorded.length).toBeLessThan(service.recorded.length);
    const { verdicts } = await readRecording({ url: service.url, recorded });
    const found = verdicts.find((one) => one.decision === decision);
    const tried = found?.restsOn?.split('; not tried')[0];
    expect([found?.verdict, tried]).toEqual([expect.any(String), expect.not.stringMatching(words)]);
  });
});
