import { MADE_UP_NAME, MADE_UP_REF } from '../../src/settle/seen/made-up-values.js';
import type { Sample } from '../../src/settle/seen/samples.js';
import { sample, told } from '../support/settle.js';

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const DELETED_AT = '2026-04-01T12:00:00.000Z';
const CONTRACT = { id: 'c', createdAt: CREATED_AT, updatedAt: CREATED_AT, deletedAt: DELETED_AT };

const deleteContract = (status: number, contract?: object, contractId = 'c'): Sample =>
  sample({ operationId: 'deleteContract', path: { contractId } }, status, contract && { contract });

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
    ['202 for a GET', 'none', [sample({ operationId: 'listMeasurements' }, 202, {})]],
    ['refusals', 'could-not-check', [deleteContract(404), deleteEvents(['a'], 400)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('success-status', samples)).toBe(expected);
  });
});

describe('repeat-delete', () => {
  const first = deleteContract(200, CONTRACT);
  const later = { ...CONTRACT, deletedAt: '2026-04-01T12:00:01.000Z' };

  test.each<Row>([
    ['404', 'not-found', [first, deleteContract(404)]],
    ['400', 'not-found', [first, deleteContract(400)]],
    ['410', 'gone', [first, deleteContract(410)]],
    ['409', 'conflict', [first, deleteContract(409)]],
    ['422', 'none', [first, deleteContract(422)]],
    ['422, as for what is unknown', 'not-found', [unknownName(422), first, deleteContract(422)]],
    ['the same again', 'undecided', [1, 2].map(() => deleteContract(200, CONTRACT))],
    ['the same still later', 'same-result', [1, 2, 3].map(() => deleteContract(200, CONTRACT))],
    [
      'found once more, then 404',
      'not-found',
      [first, deleteContract(200, CONTRACT), deleteContract(404)],
    ],
    ['deleted anew', 'none', [first, deleteContract(200, later)]],
    ['204 without the contract', 'none', [first, deleteContract(204)]],
    ['the first one refused', 'could-not-check', [deleteContract(404), deleteContract(404)]],
    ['another contract', 'could-not-check', [first, deleteContract(404, undefined, 'd')]],
    ['the service fails', 'could-not-check', [first, deleteContract(500)]],
    ['404, then 410', 'none', [first, deleteContract(404), deleteContract(410)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('repeat-delete', samples)).toBe(expected);
  });
});

describe('unmatched-refs', () => {
  const alone = (status: number) => deleteEvents([MADE_UP_REF], status);
  const beside = (status: number, events: readonly object[] = []) =>
    deleteEvents(['a', MADE_UP_REF], status, events);
  const all = (events: readonly object[]) => deleteEvents(['a'], 200, events);

  test.each<Row>([
    ['ignored', 'ignore', [alone(200)]],
    ['refused, and nothing is deleted', 'not-found', [alone(404), beside(404), all([event('a')])]],
    ['refused alone only', 'none', [alone(404), beside(200, [event('a')])]],
    ['refused, and yet deleted', 'none', [alone(404), beside(404), all([])]],
    [
      'refused, and deleted and asked for once more later',
      'not-found',
      [alone(404), beside(404), all([event('a')]), all([])],
    ],
    ['409', 'none', [alone(409)]],
    ['400, as for what is unknown', 'not-found', [unknownName(400), alone(400)]],
    ['400, where what is unknown is 404', 'none', [unknownName(404), alone(400)]],
    ['400, where nothing else is known', 'could-not-check', [alone(400)]],
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
    ['left out', 'omit', [first, deleteEvents(['a', 'b'], 200)]],
    ['repeated', 'undecided', [firstNow(), again()]],
    ['repeated still later', 'include', [firstNow(), again(), again()]],
    ['repeated, and left out later', 'omit', [firstNow(), again(), deleteEvents(['a', 'b'], 200)]],
    ['some repeated', 'none', [first, deleteEvents(['a', 'b'], 200, [event('a')])]],
    [
      'one of them asked for again, twice',
      'include',
      [first, ...[1, 2].map(() => deleteEvents(['a'], 200, [event('a')]))],
    ],
    ['deleted anew', 'none', [first, deleteEvents(['a'], 200, [anew])]],
    ['another event with the ref', 'omit', [first, deleteEvents(['a'], 200, [another])]],
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
      [deleteEvents(['a'], 200, [{ id: '1' }]), deleteEvents(['a'], 200)],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('repeat-event-delete', samples)).toBe(expected);
  });
});

describe('deleted-events-order', () => {
  const [early, late] = [event('b', '2026-01-01T00:00:00Z'), event('a', '2026-01-02T00:00:00Z')];
  const [first, last] = [event('c', '2025-01-01T00:00:00Z'), event('d', '2026-01-03T00:00:00Z')];
  const refs = ['a', 'b', 'c', 'd'];

  test.each<Row>([
    ['by the refs', 'refs', [deleteEvents(refs, 200, [late, early, first, last])]],
    ['by the timestamps', 'timestamp', [deleteEvents(refs, 200, [first, early, late, last])]],
    ['too few', 'undecided', [deleteEvents(refs, 200, [late, early, first])]],
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
  const withMember = (status: number) => deleteEvents(['b', 'a'], status, [], { extra: true });
  const alone = (status: number) => deleteEvents(['a', 'b'], status);

  test.each<Row>([
    ['accepted', 'ignore', [withMember(200)]],
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
  const at = (updatedAt: unknown, createdAt: unknown = CREATED_AT) =>
    deleteContract(200, { ...CONTRACT, createdAt, updatedAt });

  test.each<Row>([
    ['the same instant', 'deletion-time', [at(DELETED_AT)]],
    ['the same instant in another zone', 'deletion-time', [at('2026-04-01T14:00:00+02:00')]],
    ['created at the same instant', 'undecided', [at(DELETED_AT, DELETED_AT)]],
    ['that of the creation', 'unchanged', [at(CREATED_AT)]],
    ['long before', 'unchanged', [at('2026-03-01T00:00:00Z')]],
    ['just before', 'could-not-check', [at('2026-04-01T11:59:59.990Z')]],
    ['just after', 'could-not-check', [at('2026-04-01T12:00:00.010Z')]],
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
