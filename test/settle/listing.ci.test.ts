import type { DecisionId } from '../../src/core/decisions/ledger.js';
import { MADE_UP_CURSOR } from '../../src/tools/settle/seen/made-up-values.js';
import type { Sample } from '../../src/tools/settle/seen/samples.js';
import { recordsOf } from '../support/foreign-listing.js';
import { inShort, listing, sample, type TestResponse, verdictOn } from '../support/settle.js';

const RECORDED = { token: 'unknown' } as const;
const NO = { status: 400, json: { message: 'No' } };
const THREE = recordsOf(3);
const plain = listing('', page(THREE));

/** A page as a service returns it; the last one unless it has a cursor. */
function page(measurements: readonly object[], nextCursor?: string, total = 3): TestResponse {
  const hasMore = nextCursor !== undefined;
  return { json: { measurements, total, hasMore, ...(hasMore && { nextCursor }) } };
}

function told(id: DecisionId, samples: readonly Sample[]): string {
  return inShort(verdictOn(id, samples));
}

function ordered(...records: readonly object[]): Sample {
  return listing('', page(records, undefined, records.length));
}

const measured = (id: string, day: number, createdAt?: string) => ({
  id,
  usageDate: { year: 2024, month: 1, day },
  createdAt,
});

describe('200,000 listings', () => {
  const plainOnes = (n: number) => listing('', page(THREE, `c${n}`));
  const oneRun = (n: number) => listing(n === 0 ? '' : `cursor=c${n - 1}`, page(THREE, `c${n}`));
  const refusedUses = (n: number) =>
    n === 0 ? listing('', page(THREE, 'c0')) : listing('cursor=c0', NO);

  const variants: [DecisionId, string, (n: number) => Sample, string][] = [
    ['total-counts', 'that begin anew', plainOnes, 'undecided'],
    ['cursor-lifetime', 'in one run', oneRun, 'undecided'],
    ['last-page', 'that begin anew', plainOnes, 'could-not-check'],
    ['cursor-lifetime', 'that are refused', refusedUses, 'undecided'],
  ];
  test.each(variants)('tell %s as a few do: %s', (decision, _which, one, verdict) => {
    const samples = Array.from({ length: 200_000 }, (_, n) => one(n));
    expect(told(decision, samples)).toBe(verdict);
  });
});

describe('the order of measurements', () => {
  const days = (text: string) =>
    text.split(' ').map((one) => measured(`m${one[1]}`, Number(one[0])));

  test.each([
    ['11 12 21 22 23', 'undecided', 'usage-date, created-at explain'],
    ['11 12 23', 'undecided', 'usage-date, created-at, id explain'],
    ['22 23 11 12', 'undecided', 'newest-first, created-at explain'],
  ])('is open as long as several explain it: %s', (text, verdict, reason) => {
    const found = verdictOn('measurement-order', [ordered(...days(text))]);
    expect(found.verdict).toBe(verdict);
    expect(found.reason).toContain(reason);
  });

  test('is settled where equal dates are ordered by id', () => {
    const records = [
      measured('b', 1, '2024-01-05T00:00:00Z'),
      measured('c', 1, '2024-01-04T00:00:00Z'),
      measured('a', 2, '2024-01-03T00:00:00Z'),
      measured('d', 3, '2024-01-02T00:00:00Z'),
      measured('e', 3, '2024-01-01T00:00:00Z'),
    ];
    expect(told('measurement-order', [ordered(...records)])).toBe('settled usage-date');
    expect(verdictOn('measurement-order', [ordered(...records.slice(0, 4))]).reason).toBe(
      'usage-date explains the evidence, but there are fewer than 5 measurements.',
    );
  });

  test('is none, with what it almost is, where equal dates are not ordered by id', () => {
    const at = '2024-01-05T00:00:00Z';
    const records = [
      measured('b', 1, at),
      measured('a', 1, '2024-01-04T00:00:00Z'),
      measured('c', 2, at),
    ];
    const { verdict, evidence } = verdictOn('measurement-order', [ordered(...records)]);
    expect(verdict).toBe('none');
    expect(evidence).toEqual([
      'GET /measurements -> 200, 3 measurements, by usageDate, earliest first, but equal ones not by id',
    ]);
  });

  test('may count by ids that are numbers', () => {
    const records = [
      measured('9', 2, '2024-01-05T00:00:00Z'),
      measured('10', 1, '2024-01-04T00:00:00Z'),
      measured('11', 2, '2024-01-06T00:00:00Z'),
      measured('12', 1, '2024-01-01T00:00:00Z'),
      measured('13', 3, '2024-01-02T00:00:00Z'),
    ];
    expect(told('measurement-order', [ordered(...records)])).toBe('settled id');
  });

  test('is read across pages, however other listings come between them', () => {
    const one = measured('b', 5, '2024-01-03T00:00:00Z');
    const two = measured('a', 4, '2024-01-05T00:00:00Z');
    const others = [3, 2, 1].map((day) =>
      measured(`c${day}`, day, `2024-01-0${5 - day}T00:00:00Z`),
    );
    const samples = [
      listing('limit=1', page([one], 'x')),
      listing('limit=1', page([one], 'x')),
      listing('limit=0', NO),
      listing('limit=1&cursor=x', page([two], 'y')),
      listing('limit=1&cursor=y', page(others)),
      listing('limit=1&cursor=x', page([two], 'y')),
    ];
    const { verdict, value, evidence } = verdictOn('measurement-order', samples);
    expect([verdict, value]).toEqual(['settled', 'newest-first']);
    expect(evidence).toContain(
      'GET /measurements?limit=1 -> 200, 5 measurements on 3 pages, by usageDate, latest first',
    );
  });

  test('says which members it could not compare', () => {
    const { evidence } = verdictOn('measurement-order', [ordered({ id: 'b' }, { id: 'a' })]);
    expect(evidence).toEqual([
      'GET /measurements -> 200, 2 measurements, with no usageDate or createdAt to compare',
    ]);
  });

  test('is not told by a record without a date among those that have one', () => {
    const { createdAt, ...undated } = measured('z', 9);
    const records = [measured('b', 1), { ...undated, usageDate: { day: 9 } }, measured('a', 2)];
    expect(verdictOn('measurement-order', [ordered(...records)]).reason).toContain('usage-date');
  });
});

describe('total', () => {
  const walk = (...totals: readonly number[]) =>
    [
      listing('limit=1', page(THREE.slice(0, 1), 'x', totals[0])),
      listing('limit=1&cursor=x', page(THREE.slice(1, 2), 'y', totals[1])),
      listing('limit=1&cursor=y', page(THREE.slice(2), undefined, totals[2])),
    ].slice(0, totals.length);

  test.each([
    [[3, 3, 3], 'settled all'],
    [[3, 2, 1], 'settled remaining'],
    [[1, 1, 1], 'settled page'],
    [[3, 3, 1], 'none'],
    [[4, 4, 4], 'none'],
    [[2, 1, 0], 'none'],
    [[4, 3, 2], 'none'],
    [[3, 3, 4], 'none'],
    [[0, 0, 0], 'none'],
  ])('of three pages of one is %j: %s', (totals, verdict) => {
    expect(told('total-counts', walk(...totals))).toBe(verdict);
  });

  test('is told by what is between two equal first pages if it grows while it is read', () => {
    const again = (total: number) => listing('limit=1', page(THREE.slice(0, 1), 'x', total));
    expect(told('total-counts', [...walk(3, 3, 4), again(4)])).toBe('undecided');
    expect(told('total-counts', [...walk(3, 2, 2), again(4)])).toBe('undecided');
    expect(told('total-counts', [...walk(3, 3, 4), again(4), ...walk(4, 4), again(4)])).toBe(
      'settled all',
    );
    expect(told('total-counts', [...walk(3, 3), again(3), again(2), again(3)])).toBe('undecided');
  });

  test.each([
    [3, 'undecided'],
    // Perhaps nothing follows.
    [1, 'undecided'],
    [0, 'none'],
  ])('of a first page alone that has one and more to follow is %d: %s', (total, verdict) => {
    expect(told('total-counts', walk(total).slice(0, 1))).toBe(verdict);
  });
});

describe('the last page', () => {
  const full = (hasMore: boolean) => listing('limit=3', page(THREE, hasMore ? 'x' : undefined));
  const following = (records: readonly object[]) => listing('limit=3&cursor=x', page(records));
  const cut = listing('limit=1', page(THREE.slice(0, 1), 'y'));

  test.each([
    ['is full and says that nothing follows', [cut, full(false)], 'settled exact'],
    ['is as long as its limit, which has cut no page', [full(false)], 'undecided'],
    [
      'is full, and an empty one follows',
      [cut, full(true), following([])],
      'settled trailing-empty-page',
    ],
    ['is full, and then is not the last', [cut, full(false), full(true)], 'undecided'],
    ['is full, and what follows was not seen', [full(true)], 'could-not-check'],
    ['is full, and more follows', [full(true), following(recordsOf(1))], 'could-not-check'],
    ['is not full', [listing('limit=5', page(THREE))], 'could-not-check'],
    [
      'is not full, and an empty one follows',
      [listing('limit=5', page(THREE, 'x')), listing('limit=5&cursor=x', page([]))],
      'none',
    ],
    ['is not the last', [listing('limit=2', page(THREE.slice(0, 2))), plain], 'could-not-check'],
  ])('that %s', (_, samples, verdict) => {
    expect(told('last-page', samples)).toBe(verdict);
  });
});

describe('an empty limit that gets 20 measurements', () => {
  const records = recordsOf(25);
  const all = listing('limit=30', page(records, undefined, 25));
  const empty = listing('limit=', page(records.slice(0, 20), 'x', 25));
  const withoutLimit = (length: number) => listing('', page(records.slice(0, length), 'x', 25));

  test.each([
    ['as many as without a limit', [all, withoutLimit(20), empty], 'undecided'],
    ['more than without a limit', [all, withoutLimit(10), empty, withoutLimit(10)], 'none'],
    ['more than without a limit before it', [all, withoutLimit(10), empty], 'undecided'],
    ['and no page without a limit was seen', [all, empty], 'could-not-check'],
  ])('%s', (_, samples, verdict) => {
    expect(told('empty-parameter', samples)).toBe(verdict);
  });
});

describe('a made-up cursor', () => {
  test.each([
    ['the first page', page(THREE.slice(0, 2), 'x'), 'undecided'],
    ['another page', page(THREE.slice(1)), 'none'],
  ])('that is answered with %s', (_, response, verdict) => {
    const first = () => listing('limit=2', page(THREE.slice(0, 2), 'x'));
    const odd = listing(`limit=2&cursor=${MADE_UP_CURSOR}`, response);
    const last = listing('limit=2&cursor=x', page(THREE.slice(2)));
    expect(told('invalid-cursor', [first(), last, odd, first()])).toBe(verdict);
  });

  test('is not told by a page that is longer than the first pages that were seen', () => {
    const samples = [
      listing('limit=2', page(THREE.slice(0, 2), 'x')),
      listing(`limit=3&cursor=${MADE_UP_CURSOR}`, page(THREE)),
    ];
    expect(told('invalid-cursor', samples)).toBe('could-not-check');
  });
});

describe('a recording', () => {
  test.each<[string, DecisionId, Sample, string]>([
    [
      'a cursor that it lacks',
      'invalid-cursor',
      listing('cursor=x', NO, RECORDED),
      'could-not-check',
    ],
    [
      'a cursor that it lacks, beside a token',
      'invalid-cursor',
      listing('cursor=x', NO),
      'could-not-check',
    ],
    [
      'the cursor that is made up',
      'invalid-cursor',
      listing(`cursor=${MADE_UP_CURSOR}`, NO, RECORDED),
      'undecided',
    ],
    [
      'a foreign parameter',
      'unknown-query-parameters',
      listing('from=2024', NO, RECORDED),
      'undecided',
    ],
    [
      'the parameter that is made up',
      'unknown-query-parameters',
      listing('usageBillingMockSettle=1', NO, RECORDED),
      'settled reject',
    ],
    ['a limit of 0', 'limit-out-of-bounds', listing('limit=0', NO, RECORDED), 'undecided'],
    [
      'a limit of 0 and a foreign parameter',
      'limit-out-of-bounds',
      listing('limit=0&from=2024', NO, RECORDED),
      'could-not-check',
    ],
    [
      'two wrong things at once',
      'limit-out-of-bounds',
      listing('limit=0&cursor=', NO, RECORDED),
      'could-not-check',
    ],
    [
      'a limit given twice',
      'limit-out-of-bounds',
      listing('limit=0&limit=0', NO),
      'could-not-check',
    ],
  ])('with %s', (_, id, odd, verdict) => {
    expect(told(id, [plain, odd])).toBe(verdict);
  });

  test('in which no listing succeeded does not tell why one was refused', () => {
    expect(told('limit-out-of-bounds', [listing('limit=0', NO, RECORDED)])).toBe('could-not-check');
  });

  test('without bodies tells nothing of them', () => {
    const refused = listing('limit=0', NO, RECORDED);
    const response = { ...refused.response, body: { kind: 'unknown' } as const };
    expect(told('error-body', [plain, { ...refused, response }])).toBe('could-not-check');
  });
});

describe('the listing of another token', () => {
  test('tells nothing', () => {
    const madeUp = { token: 'made-up' } as const;
    const samples = [
      plain,
      listing('', page(recordsOf(1), undefined, 8), madeUp),
      listing('limit=0', { ...NO, status: 422 }, madeUp),
    ];
    expect(told('total-counts', samples)).toBe('undecided');
    expect(told('invalid-request-status', samples)).toBe('could-not-check');
  });
});

describe('the status of an invalid request', () => {
  const post = (body: unknown, status: number, response: object = {}) =>
    sample({ operationId: 'deleteEventsByRefs', body }, status, response);
  const unknown = { refs: ['r'], extra: 1 };

  test.each<[string, readonly Sample[], string]>([
    ['422 for a body without refs', [post({}, 422)], 'settled 422'],
    ['400 for empty refs', [post({ refs: [] }, 400)], 'settled 400'],
    ['413 for empty refs', [post({ refs: [] }, 413)], 'none'],
    ['200 for empty refs', [post({ refs: [] }, 200)], 'none'],
    ['500 for empty refs', [post({ refs: [] }, 500)], 'could-not-check'],
    ['400 for refs that may be unknown', [post({ refs: ['r'] }, 400)], 'could-not-check'],
    ['400 for a member beside refs that may be unknown', [post(unknown, 400)], 'could-not-check'],
    [
      '422 for a member beside refs that are found',
      [post(unknown, 422), post({ refs: ['r'] }, 200, { events: [] })],
      'settled 422',
    ],
    [
      '422 for a limit and 400 for a body',
      [plain, listing('limit=0', { ...NO, status: 422 }), post({}, 400)],
      'none',
    ],
    [
      '404 for a parameter that it may know',
      [plain, listing('from=9', { ...NO, status: 404 })],
      'could-not-check',
    ],
    ['200 for a limit of 0', [plain, listing('limit=0', page([]))], 'could-not-check'],
    ['200 for a limit that is no number', [plain, listing('limit=many', page(THREE))], 'none'],
    [
      '400 for a cursor that may have expired',
      [plain, listing('cursor=x', NO, RECORDED)],
      'could-not-check',
    ],
  ])('is %s', (_, samples, verdict) => {
    expect(told('invalid-request-status', samples)).toBe(verdict);
  });

  test('that is not one shows both', () => {
    const samples = [
      plain,
      listing('limit=0', NO),
      listing(`cursor=${MADE_UP_CURSOR}`, { ...NO, status: 422 }),
    ];
    const { reason, evidence } = verdictOn('invalid-request-status', samples);
    expect(reason).toBe('No single value explains all the evidence.');
    expect(evidence).toEqual([
      'GET /measurements?limit=0 -> 400, refused',
      'GET /measurements?cursor=… -> 422, refused',
    ]);
  });
});

describe('the body of an error', () => {
  const PROBLEM = 'application/problem+json; charset=utf-8';

  test.each<[TestResponse, string]>([
    [{ json: { title: 'No', status: 400 }, type: PROBLEM }, 'settled problem-json'],
    [{ json: { message: 'No' }, type: PROBLEM }, 'settled problem-json'],
    [{ json: { type: 'about:blank', title: 'No', status: 400 } }, 'none'],
    [{ json: { message: 'No', statusCode: 400, error: 'Bad Request' } }, 'settled message'],
    [{ json: { message: ['No', 'No'] } }, 'none'],
    [{ json: { error: { code: 'no', message: 'No' } } }, 'settled error-object'],
    [{ json: { error: { code: 17, message: 'No', details: [] } } }, 'settled error-object'],
    [{ json: { error: { message: 'No' } } }, 'none'],
    [{ json: { error: { code: 1, message: 'No' }, message: 'No' } }, 'undecided'],
    [{ json: { error: 'No' } }, 'none'],
    [{ json: ['No'] }, 'none'],
    [{ text: '<h1>No</h1>', type: 'text/html' }, 'none'],
    [{ json: { message: 'No' }, type: 'text/html' }, 'none'],
    [{ text: '', type: '' }, 'settled empty'],
  ])('%j is %s', (response, verdict) => {
    expect(told('error-body', [listing('limit=0', { status: 400, ...response })])).toBe(verdict);
  });

  test.each<[number, Sample['request']['token'], string]>([
    [401, 'none', 'undecided'],
    [403, 'made-up', 'undecided'],
    [401, 'given', 'could-not-check'],
    [403, 'unknown', 'could-not-check'],
    [429, 'given', 'could-not-check'],
    [503, 'given', 'could-not-check'],
  ])('of a %d for a call whose token is %s: %s', (status, token, verdict) => {
    expect(told('error-body', [listing('', { ...NO, status }, { token })])).toBe(verdict);
  });

  test('is shown by the names of its members', () => {
    const json = { error: { code: 'unknown', message: 'No Ada Lovelace' }, id: 'secret' };
    expect(verdictOn('error-body', [listing('limit=0', { status: 400, json })]).evidence).toEqual([
      'GET /measurements?limit=0 -> 400, application/json { error { code, message }, id }',
    ]);
  });
});

describe('the lifetime of a cursor', () => {
  const at = (second: number, one: Sample) => ({ ...one, sentAtMs: 1_000 * second });
  const issued = at(0, listing('limit=2', page(THREE.slice(0, 2), 'x')));
  const accepted = (second: number) =>
    at(second, listing('limit=2&cursor=x', page(THREE.slice(2))));
  const refused = (second: number) => at(second, listing('limit=2&cursor=x', NO));

  test.each<[string, readonly Sample[], string, string]>([
    ['was never seen to be used', [issued], 'could-not-check', 'nothing was seen'],
    ['was accepted', [issued, accepted(5)], 'undecided', 'unlimited, 15m explain'],
    [
      'was accepted and then refused',
      [issued, accepted(5), refused(9)],
      'undecided',
      '5s, 10s explain',
    ],
    ['was refused', [issued, refused(9)], 'undecided', '0s, 10s explain'],
    ['was refused and then accepted', [issued, refused(5), accepted(9)], 'none', 'No value'],
    [
      'was refused with another limit',
      [issued, at(9, listing('limit=3&cursor=x', NO))],
      'could-not-check',
      'nothing was seen',
    ],
  ])('that %s', (_, samples, verdict, reason) => {
    const found = verdictOn('cursor-lifetime', samples);
    expect(found.verdict).toBe(verdict);
    expect(found.reason).toContain(reason);
  });

  test('is not mistaken for the response to a cursor that was never issued', () => {
    expect(told('invalid-cursor', [issued, accepted(5), refused(9)])).toBe('could-not-check');
  });
});
