import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DecisionId, settle } from '../../src/index.js';
import { WHAT_TO_RECORD } from '../../src/tools/settle/recordings/what-to-record.js';
import { recordingOf } from '../support/billing-recording.js';
import { CUSTOMERS } from '../support/billing-records.js';
import { type Rules, startService, stopService, TOKEN } from '../support/billing-service.js';
import { newFolder } from '../support/fixture.js';
import { codeIn, tableOf } from '../support/pages.js';
import { PLAIN_TRUTH } from './truth/behaviours.js';

/** A call as `METHOD /path`, with the body of a deletion of events; or a pause. */
type Step = string | readonly [call: string, body: object] | typeof PAUSE;

const PAUSE = null;
const PAUSE_MS = 2_000;

const DELETE_CONTRACT = 'DELETE /contracts/con-1';
const deletionOf = (refs: readonly string[], more: object = {}): Step => [
  'POST /events/delete-by-refs',
  { refs, ...more },
];
const REFS = ['ref-b', 'ref-c', 'ref-a'];
const FIRST = CUSTOMERS[0] as (typeof CUSTOMERS)[number];
const { id, name, externalId } = FIRST;
const listed = (...queries: readonly string[]) =>
  queries.map((query) => `GET /measurements${query && `?${query}`}`);
const between = (plain: string, ...odd: readonly string[]) =>
  listed(plain, ...odd.flatMap((one) => [one, plain]));

/** Only `createdAt` tells the first from the others: it is the least. */
const namesakes = ['cus_5', 'cus_3', 'cus_7'].map((one, at) => ({
  ...FIRST,
  id: one,
  createdAt: `2025-01-0${at + 1}T03:04:05.000Z`,
}));

const thrice = (step: Step): readonly Step[] => [step, PAUSE, step, PAUSE, step];
const EVENTS = [deletionOf(REFS)];
const PAGES = listed('limit=10', 'limit=5', 'limit=5&cursor=c-5');
const REFUSALS = ['GET /customers/none', ...listed('limit=many', 'limit=few')];
const RECORDS = [`GET /customers/${id}`, 'GET /measurements'];

/** What a client does to record what each decision needs, and of which service. */
const STEPS: Readonly<
  Partial<Record<DecisionId, readonly [steps: readonly Step[], rules?: Partial<Rules>]>>
> = {
  'success-status': [[...EVENTS, DELETE_CONTRACT]],
  'repeat-delete': [thrice(DELETE_CONTRACT)],
  'unmatched-refs': [thrice(deletionOf(['none']))],
  'repeat-event-delete': [thrice(deletionOf(REFS))],
  'unknown-body-members': [thrice(deletionOf(REFS, { why: 'so' }))],
  'updated-at-on-delete': [EVENTS],
  'deleted-events-order': [EVENTS],
  'measurement-order': [PAGES],
  'total-counts': [PAGES],
  'last-page': [PAGES],
  'final-cursor': [PAGES],
  'empty-parameter': [between('', 'limit=', 'cursor=')],
  'fractional-limit': [[...between('limit=2', 'limit=2.5'), ...between('limit=1', 'limit=1.5')]],
  'limit-out-of-bounds': [
    [...between('limit=1', 'limit=0'), ...between('limit=1000', 'limit=1001')],
  ],
  'unknown-query-parameters': [between('limit=2', 'limit=2&page=1', 'limit=2&page=1')],
  'customer-id-matches': [
    [`GET /customers/${externalId}`, `GET /customers/${id}`, `GET /customers/${externalId}`],
  ],
  'duplicate-name': [
    [
      ...namesakes.map((one) => `GET /customers/${one.id}`),
      ...[1, 2].map(() => `GET /customers/name/${encodeURIComponent(name)}`),
    ],
    { customers: namesakes },
  ],
  'error-body': [REFUSALS],
  'invalid-request-status': [REFUSALS],
  'unknown-identifier-status': [
    [`GET /customers/${id}`, 'GET /customers/00000000', 'GET /customers/name/00000000'],
  ],
  'unauthorized-status': [['GET /measurements without a token', 'GET /measurements']],
  'optional-fields': [RECORDS],
  'undocumented-fields': [RECORDS],
};

/** The recording of a client that takes these steps. */
async function record(steps: readonly Step[], rules: Partial<Rules> = {}): Promise<string> {
  const service = await startService({ measurements: 10, ...rules });
  let atMs = Date.now();
  const times: number[] = [];
  for (const step of steps) {
    atMs += step === PAUSE ? PAUSE_MS : 100;
    if (step === PAUSE) continue;
    const [call, body] = typeof step === 'string' ? [step] : step;
    const [method = '', path = '', without] = call.split(' ');
    times.push(atMs);
    await fetch(service.url + path, {
      method,
      headers: without ? {} : { Authorization: `Bearer ${TOKEN}` },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.text());
  }
  await stopService(service);
  const recorded = service.recorded.map((one, at) => ({ ...one, atMs: times[at] ?? Number.NaN }));
  const path = join(newFolder(), 'session.har');
  writeFileSync(path, recordingOf({ url: service.url, recorded }));
  return path;
}

const ROWS = Object.entries(STEPS).map(([decision, [steps, rules]]) => ({
  decision: decision as DecisionId,
  steps,
  rules,
}));

describe('what a recording must have', () => {
  test.each(ROWS)('settles $decision', async ({ decision, steps, rules }) => {
    const path = await record(steps, rules);
    const { verdicts } = await settle({ recordings: [path], only: [decision] });
    expect(verdicts).toEqual([
      expect.objectContaining({ verdict: 'settled', value: PLAIN_TRUTH[decision] }),
    ]);
  });

  test.each<[DecisionId, value: string, Step, Partial<Rules>]>([
    [
      'repeat-delete',
      'same-result',
      DELETE_CONTRACT,
      { repeatedDelete: (contract) => ({ status: 200, body: { contract } }) },
    ],
    ['repeat-event-delete', 'include', EVENTS[0] as Step, { repeatedEvents: 'include' }],
  ])(
    'is for %s a repeat 2 s later: at once, a service may not know of its own deletion',
    async (decision, value, step, rules) => {
      const verdictOf = async (...steps: readonly Step[]) => {
        const recordings = [await record(steps, rules)];
        return (await settle({ recordings, only: [decision] })).verdicts[0];
      };
      expect(await verdictOf(step, step, step)).toMatchObject({
        verdict: 'undecided',
        reason: `${value} explains the responses, but only within 2 s of the deletion. To settle it, record ${WHAT_TO_RECORD[decision]}.`,
      });
      expect(await verdictOf(step, step, PAUSE, step)).toMatchObject({ verdict: 'settled', value });
    },
  );

  test('is told as the reason of each open decision', async () => {
    const path = await record(['DELETE /contracts/none']);
    const { verdicts } = await settle({ recordings: [path] });
    const told = verdicts.flatMap(({ decision, reason = '' }) => {
      const [, what] = /To settle it, record (.*)\.$/.exec(reason) ?? [];
      return what === undefined ? [] : [[decision, what]];
    });
    expect(Object.fromEntries(told)).toEqual(WHAT_TO_RECORD);
  });

  test('is what docs/settle.md says', () => {
    let last = '';
    const rows = tableOf('docs/settle.md', 'decision').flatMap(
      ([decisions = '', , , , what = '']) => {
        last = what === 'the same' ? last : what.replaceAll('`', '');
        return codeIn(decisions).map((decision) => [decision, last]);
      },
    );
    expect(Object.fromEntries(rows.filter(([, what]) => what !== ''))).toEqual(WHAT_TO_RECORD);
  });
});
