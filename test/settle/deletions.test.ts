import {
  MADE_UP_NAME,
  MADE_UP_REF,
  randomLike,
} from '../../src/tools/settle/seen/made-up-values.js';
import type { Sample } from '../../src/tools/settle/seen/samples.js';
import { later, sample, told } from '../support/settle.js';

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const DELETED_AT = '2026-04-01T12:00:17.000Z';
const CONTRACT = { id: 'c', createdAt: CREATED_AT, updatedAt: CREATED_AT, deletedAt: DELETED_AT };

const RANDOM_ID = String(randomLike('65b000000000000000000001', 'seed'));
const REFUSED = { error: 'No' };

const deleteContract = (
  status: number,
  contract?: object,
  contractId = 'c',
  body: object | undefined = contract && { contract },
): Sample => sample({ operationId: 'deleteContract', path: { contractId } }, status, body);

const deleteEvents = (
  refs: readonly string[],
  status: number,
  events: readonly object[] = [],
  more: object = {},
): Sample =>
  sample({ operationId: 'deleteEventsByRefs', body: { refs, ...more } }, status, { events });

const event = (ref: string, timestamp = CREATED_AT, deletedAt = DELETED_AT, id = `id-${ref}`) => ({
  id,
  ref,
  timestamp,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  deletedAt,
});

const unknownName = (status: number) =>
  sample({ operationId: 'getCustomerByName', path: { name: MADE_UP_NAME } }, status);

type Row = readonly [title: string, expected: unknown, exchanges: readonly Sample[]];

describe('success-status', () => {
  test.each<Row>([
    ['200 for a contract alone', 'undecided', [deleteContract(200, CONTRACT)]],
    ['200 for both', 200, [deleteContract(200, CONTRACT), deleteEvents(['a'], 200)]],
    ['201 for events', 201, [deleteContract(200, CONTRACT), deleteEvents(['a'], 201)]],
    ['202 for both', 202, [deleteContract(202, CONTRACT), deleteEvents(['a'], 202)]],
    ['202 for one of them', 'none', [deleteContract(202, CONTRACT), deleteEvents(['a'], 200)]],
    ['204', 'none', [deleteContract(204)]],
    ['201 for a contract', 'none', [deleteContract(201, CONTRACT)]],
    ['200 for a GET', 'could-not-check', [sample({ operationId: 'listMeasurements' }, 200, {})]],
    [
      '202 for a GET',
      'none',
      [sample({ operationId: 'listMeasurements' }, 202, { measurements: [] })],
    ],
    ['refusals', 'could-not-check', [deleteContract(404), deleteEvents(['a'], 400)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('success-status', samples)).toBe(expected);
  });
});

describe('repeat-delete', () => {
  const firstNow = () => deleteContract(200, CONTRACT);
  const first = firstNow();
  const anew = { ...CONTRACT, deletedAt: '2026-04-01T12:00:01.000Z' };

  test.each<Row>([
    ['404 at once, and nothing later', 'undecided', [firstNow(), deleteContract(404)]],
    ['404', 'not-found', [first, later(deleteContract(404))]],
    ['410', 'gone', [first, later(deleteContract(410))]],
    ['409', 'conflict', [first, later(deleteContract(409))]],
    ['422', 'undecided', [first, later(deleteContract(422))]],
    ['423', 'none', [first, later(deleteContract(423))]],
    [
      '400, where an unknown contract was not asked for',
      'undecided',
      [first, later(deleteContract(400))],
    ],
    [
      '400, as an unknown contract',
      'undecided',
      [first, later(deleteContract(400)), deleteContract(400, undefined, RANDOM_ID)],
    ],
    [
      '400, where an unknown contract is 404',
      'none',
      [first, later(deleteContract(400)), deleteContract(404, undefined, RANDOM_ID)],
    ],
    ['the same at once', 'undecided', [firstNow(), deleteContract(200, CONTRACT)]],
    ['the same later', 'same-result', [first, later(deleteContract(200, CONTRACT))]],
    [
      'the same later, of which the day alone is shown',
      'undecided',
      [
        deleteContract(200, { ...CONTRACT, deletedAt: '2026-04-01' }),
        later(deleteContract(200, { ...CONTRACT, deletedAt: '2026-04-01' })),
      ],
    ],
    [
      'found once more, then 404',
      'undecided',
      [firstNow(), deleteContract(200, CONTRACT), later(deleteContract(404))],
    ],
    ['409, then 404', 'undecided', [firstNow(), deleteContract(409), later(deleteContract(404))]],
    [
      '409 for one contract at once, and nothing of it later, but the same for another',
      'undecided',
      [
        ...[first, later(deleteContract(200, CONTRACT))],
        ...[deleteContract(200, CONTRACT, 'd'), deleteContract(409, undefined, 'd')],
      ],
    ],
    ['deleted anew', 'none', [first, later(deleteContract(200, anew))]],
    ['204 without the contract', 'none', [first, later(deleteContract(204))]],
    ['200 with an error', 'none', [first, later(deleteContract(200, undefined, 'c', REFUSED))]],
    ['the first one refused', 'could-not-check', [deleteContract(404), deleteContract(404)]],
    ['another contract', 'could-not-check', [first, deleteContract(404, undefined, 'd')]],
    ['the service fails', 'could-not-check', [first, deleteContract(500)]],
    [
      '404, then 410, both later',
      'undecided',
      [first, later(deleteContract(404)), later(deleteContract(410))],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('repeat-delete', samples)).toBe(expected);
  });
});

describe('unmatched-refs', () => {
  const alone = (status: number) => deleteEvents([MADE_UP_REF], status);
  const beside = (status: number, events: readonly object[] = []) =>
    deleteEvents(['a', MADE_UP_REF], status, events);
  const all = (events: readonly object[]) => deleteEvents(['a'], 200, events);
  const random = (status: number) => deleteEvents([RANDOM_ID], status);
  const wrong = sample(
    { operationId: 'deleteEventsByRefs', body: { refs: [MADE_UP_REF] } },
    200,
    REFUSED,
  );

  test.each<Row>([
    ['ignored', 'ignore', [alone(200)]],
    ['refused, and nothing is deleted', 'not-found', [alone(404), beside(404), all([event('a')])]],
    ['refused alone only', 'none', [alone(404), beside(200, [event('a')]), all([])]],
    ['refused, where no other ref is known', 'undecided', [alone(404)]],
    ['refused, and yet deleted', 'none', [alone(404), beside(404), all([])]],
    [
      'refused, and deleted and asked for once more later',
      'not-found',
      [alone(404), beside(404), all([event('a')]), all([])],
    ],
    ['409', 'none', [alone(409), all([event('a')])]],
    ['400, as for what is unknown', 'not-found', [unknownName(400), alone(400), all([event('a')])]],
    ['400, which may be about its form', 'undecided', [unknownName(404), alone(400)]],
    ['200 with an error once', 'could-not-check', [all([event('a')]), wrong]],
    ['200 with an error', 'none', [all([event('a')]), wrong, later(wrong)]],
    ['ignored, and a random one refused', 'undecided', [alone(200), random(404)]],
    ['ignored, and refused beside another', 'none', [alone(200), beside(404), all([event('a')])]],
    ['400, where nothing else is known', 'undecided', [alone(400)]],
    ['other refs without an event', 'could-not-check', [deleteEvents(['x'], 200)]],
    [
      'refused for another member',
      'could-not-check',
      [deleteEvents([MADE_UP_REF], 404, [], { extra: 1 })],
    ],
    ['429', 'could-not-check', [alone(429)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('unmatched-refs', samples)).toBe(expected);
  });
});

describe('repeat-event-delete', () => {
  const firstNow = () => deleteEvents(['a', 'b'], 200, [event('a'), event('b')]);
  const first = firstNow();
  const anew = event('a', CREATED_AT, '2026-04-01T12:00:05.000Z');
  const another = event('a', CREATED_AT, DELETED_AT, 'another');
  const again = () => deleteEvents(['b', 'a'], 200, [event('b'), event('a')]);

  test.each<Row>([
    ['left out at once', 'undecided', [firstNow(), deleteEvents(['a', 'b'], 200)]],
    ['left out', 'omit', [first, later(deleteEvents(['a', 'b'], 200))]],
    ['repeated at once', 'undecided', [firstNow(), again()]],
    ['repeated later', 'include', [firstNow(), again(), later(again())]],
    [
      'repeated, and left out later',
      'undecided',
      [firstNow(), again(), later(deleteEvents(['a', 'b'], 200))],
    ],
    ['some repeated', 'none', [first, later(deleteEvents(['a', 'b'], 200, [event('a')]))]],
    [
      'one of them asked for again',
      'include',
      [first, later(deleteEvents(['a'], 200, [event('a')]))],
    ],
    ['deleted anew', 'none', [first, later(deleteEvents(['a'], 200, [anew]))]],
    ['another event with the ref', 'omit', [first, later(deleteEvents(['a'], 200, [another]))]],
    [
      'nothing deleted before',
      'could-not-check',
      [deleteEvents(['a'], 200), deleteEvents(['a'], 200)],
    ],
    ['other refs', 'could-not-check', [first, deleteEvents(['x'], 200)]],
    ['refused', 'could-not-check', [first, deleteEvents(['a', 'b'], 404)]],
    [
      'events that show only their id',
      'omit',
      [deleteEvents(['a'], 200, [{ id: '1' }]), later(deleteEvents(['a'], 200))],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('repeat-event-delete', samples)).toBe(expected);
  });
});

describe('deleted-events-order', () => {
  const [early, late] = [event('b', '2026-01-01T00:00:00Z'), event('a', '2026-01-02T00:00:00Z')];
  const [first, last] = [event('c', '2025-01-01T00:00:00Z'), event('d', '2026-01-03T00:00:00Z')];
  const refs = ['b', 'd', 'a', 'c'];
  const sorted = ['a', 'b', 'c', 'd'];
  const alike = sorted.map((ref) => event(ref));

  test.each<Row>([
    ['by the refs', 'refs', [deleteEvents(refs, 200, [early, last, late, first])]],
    [
      'by the refs, which are sorted',
      'undecided',
      [deleteEvents(sorted, 200, [late, early, first, last])],
    ],
    ['by the timestamps', 'timestamp', [deleteEvents(refs, 200, [first, early, late, last])]],
    ['by timestamps that are all the same', 'undecided', [deleteEvents(sorted, 200, alike)]],
    ['too few', 'undecided', [deleteEvents(refs, 200, [early, late, first])]],
    ['both orders are the same', 'undecided', [deleteEvents(['b', 'a'], 200, [early, late])]],
    ['neither', 'none', [deleteEvents(['b', 'a'], 200, [late, early])]],
    ['one event', 'could-not-check', [deleteEvents(['a', 'b'], 200, [late])]],
    [
      'no timestamps',
      'could-not-check',
      [deleteEvents(['a', 'b'], 200, [{ ref: 'a' }, { ref: 'b' }])],
    ],
    [
      'the same place in both, whose ids are not in order',
      'undecided',
      [
        deleteEvents(['a'], 200, [
          { ...late, id: '9' },
          { ...late, id: '10' },
        ]),
      ],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('deleted-events-order', samples)).toBe(expected);
  });
});

describe('unknown-body-members', () => {
  const withMember = (status: number, events: readonly object[] = []) =>
    deleteEvents(['b', 'a'], status, events, { extra: true });
  const alone = (status: number) => deleteEvents(['a', 'b'], status);

  test.each<Row>([
    ['accepted', 'ignore', [withMember(200, [event('a')])]],
    ['accepted, with nothing left to delete', 'undecided', [alone(200), withMember(200)]],
    [
      'accepted, but deletes nothing',
      'none',
      [withMember(200), deleteEvents(['a', 'b'], 200, [event('a')])],
    ],
    ['refused only with it', 'reject', [alone(200), withMember(400)]],
    ['refused with 422', 'reject', [withMember(422), alone(200)]],
    ['refused both times', 'could-not-check', [alone(404), withMember(400)]],
    [
      'refused once what was deleted is not found',
      'could-not-check',
      [alone(200), alone(400), withMember(400)],
    ],
    ['not found', 'could-not-check', [alone(200), withMember(404)]],
    ['nothing to compare with', 'could-not-check', [withMember(400)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('unknown-body-members', samples)).toBe(expected);
  });
});

describe('updated-at-on-delete', () => {
  const TODAY = '2026-04-01T11:00:01.000Z';
  const at = (updatedAt: unknown, createdAt: unknown = CREATED_AT) =>
    deleteContract(200, { ...CONTRACT, createdAt, updatedAt });

  test.each<Row>([
    ['the same instant', 'deletion-time', [at(DELETED_AT)]],
    ['the same instant in another zone', 'deletion-time', [at('2026-04-01T14:00:17+02:00')]],
    ['created at the same instant', 'undecided', [at(DELETED_AT, DELETED_AT)]],
    ['that of the creation', 'unchanged', [at(CREATED_AT)]],
    ['long before', 'unchanged', [at('2026-03-01T00:00:00Z')]],
    ['just before', 'could-not-check', [at('2026-04-01T12:00:16.990Z')]],
    ['hours before', 'could-not-check', [at('2026-04-01T07:00:17.000Z')]],
    ['that of a creation on the same day', 'unchanged', [at(TODAY, TODAY)]],
    ['the day alone, of the creation too', 'could-not-check', [at('2026-04-01', '2026-04-01')]],
    ['just after', 'could-not-check', [at('2026-04-01T12:00:17.010Z')]],
    ['long after', 'none', [at('2026-04-01T13:00:00Z')]],
    ['missing', 'could-not-check', [at(undefined)]],
    ['not a date', 'could-not-check', [at('yesterday')]],
    [
      'events other than contracts',
      'none',
      [at(DELETED_AT), deleteEvents(['a'], 200, [event('a')])],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('updated-at-on-delete', samples)).toBe(expected);
  });
});
