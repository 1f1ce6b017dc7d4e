import type { DecisionId } from '../../src/index.js';
import { answerAll } from '../../src/tools/settle/judge/answer.js';
import { createModels } from '../../src/tools/settle/judge/model.js';
import { meaningsAmong, withWalls } from '../../src/tools/settle/judge/refusals.js';
import { type Seen, seenIn, UNCLEAR, viewsOf } from '../../src/tools/settle/judge/views.js';
import { MADE_UP_NAME } from '../../src/tools/settle/seen/made-up-values.js';
import { variantsOf } from '../../src/tools/settle/seen/name-variants.js';
import type { Sample, SampleRequest } from '../../src/tools/settle/seen/samples.js';
import { openapi } from '../support/document.js';
import { sample } from '../support/settle.js';

const request = (more: Partial<SampleRequest>): SampleRequest => ({
  ...{ operationId: 'listMeasurements', path: {}, query: [], token: 'given' },
  ...more,
});

describe('the model of a service', () => {
  test('responds to reads as the mock does under each hypothesis', async () => {
    const model = createModels()({ measurements: [{ id: 'b' }, { id: 'a' }] });
    const limit = request({ query: [['limit', '0']] });
    const statusOf = async (value: string) =>
      (await model.read({ 'limit-out-of-bounds': value }, limit))?.status;
    expect(await Promise.all(['clamp', 'reject', 'clamp'].map(statusOf))).toEqual([200, 400, 200]);
  });

  test('replays deletions from the start each time', async () => {
    const model = createModels()({ contracts: [{ id: 'c' }] });
    const deletion = request({ operationId: 'deleteContract', path: { contractId: 'c' } });
    const statusesOf = async (value: string) =>
      (await model.replay({ 'repeat-delete': value }, [deletion, deletion]))?.map(
        ({ status }) => status,
      );
    expect(await statusesOf('gone')).toEqual([200, 410]);
    expect(await statusesOf('not-found')).toEqual([200, 404]);
  });

  test('predicts nothing of records that the mock cannot hold', async () => {
    const model = createModels()({ measurements: [{ id: '' }], contracts: [{ id: 7 }] });
    const deletion = request({ operationId: 'deleteContract', path: { contractId: '7' } });
    expect(await model.read({}, request({}))).toBeUndefined();
    expect(await model.replay({}, [deletion])).toBeUndefined();
  });
});

describe('the refusals of a service that no decision changes', () => {
  const byName = (name: string, status: number, body: object = { message: 'No' }) =>
    sample({ operationId: 'getCustomerByName', path: { name } }, status, body);
  const deletion = (contractId: string, status: number, body: object = { message: 'No' }) =>
    sample({ operationId: 'deleteContract', path: { contractId } }, status, body);
  const many = { operationId: 'listMeasurements', query: [['limit', 'many']] } as const;
  const seenOf = (one: Sample) => seenIn([one])[0] as Seen;
  const UNKNOWN_ID = '0'.repeat(24);

  test('show which of its statuses mean what those of the mock do', () => {
    const isRefusedAs = meaningsAmong(
      seenIn([sample(many, 409, { message: 'No' }), byName(MADE_UP_NAME, 418)]),
    );
    const meanings = [400, 404, 409, 410, 418, 422].map((status) =>
      [400, 404, 410].filter((expected) => isRefusedAs(expected, seenOf(byName('A', status)))),
    );
    expect(meanings).toEqual([[400, 404], [404], [400], [404, 410], [404], [400, 404]]);
    expect(isRefusedAs(404, seenOf(deletion('a', 404)))).toBe(false);
  });

  test('show by their text whether another status than 404 says that a record is unknown', () => {
    const told = (id: string) => ({ message: `No contract ${id}` });
    const isRefusedAs = meaningsAmong(seenIn([deletion(UNKNOWN_ID, 400, told(UNKNOWN_ID))]));
    expect(isRefusedAs(404, seenOf(deletion('con-1', 400, told('con-1'))))).toBe(true);
    expect(isRefusedAs(404, seenOf(deletion('con-1', 400, { message: 'Is deleted' })))).toBe(false);
  });

  test('show whether another is its own, or that of a gateway', () => {
    const kindOf = (...refusals: readonly Sample[]) =>
      withWalls(seenIn(refusals)).at(-1)?.view.kind;
    const unknown = byName(MADE_UP_NAME, 404, { title: 'No', status: 404 });
    expect(kindOf(unknown, byName('A', 404, { status: 404, title: 'Not found' }))).toBe('refused');
    expect(kindOf(unknown, byName('A', 404, { message: 'No route' }))).toBe('wall');
    expect(kindOf(unknown, byName('A', 410, { title: 'Gone', status: 410 }))).toBe('refused');
    expect(kindOf(unknown, byName('A', 410, { message: 'No route' }))).toBe('wall');
    expect(kindOf(byName('A', 404, { message: 'No route' }))).toBe('refused');
  });

  test('are not unexplained if the form of their bodies is no value of a decision', async () => {
    const asked = ['a', 'b', 'c'].map((limit) => [['limit', limit]] as const);
    const samples = asked.map((query) =>
      sample({ operationId: 'listMeasurements', query }, 400, { oops: true }),
    );
    const found = (await answerAll(samples, openapi)).get('error-body');
    expect(found).toMatchObject({ verdict: 'undecided', unexplained: [] });
  });
});

describe('a deletion that shows its instant', () => {
  const request = { operationId: 'deleteContract', path: { contractId: 'a' } } as const;
  const viewsOfTwice = (deletedAt: string, more: object = {}) => {
    const deletion = sample(request, 200, { contract: { id: 'a', deletedAt, ...more } });
    return viewsOf([deletion, deletion]).map(({ parts }) => parts);
  };

  test('was done once if the same second is shown again, but not if the same minute is', () => {
    const again = (deletedAt: string) => viewsOfTwice(deletedAt)[1]?.first;
    expect(again('2026-03-04T05:06:07Z')).toBe('true');
    for (const coarse of ['2026-03-04T05:06:00Z', '2026-03-04', 'today']) {
      expect(again(coarse)).toBe(UNCLEAR);
    }
  });

  test('left updatedAt as it was only if that shows seconds, or is more than a day older', () => {
    const now = Date.now();
    const at = (ms: number) => new Date(now - ms).toISOString();
    const stamped = (updatedAt: string) =>
      viewsOf([
        {
          ...sample(request, 200, {
            contract: { id: 'a', deletedAt: at(0), updatedAt, createdAt: updatedAt },
          }),
          sentAtMs: now,
        },
      ])[0]?.parts.stamp;
    expect(stamped(at(90_061))).toBe('older');
    expect(stamped(at(0).slice(0, 10))).toBe(UNCLEAR);
    expect(stamped(at(3 * 86_400_000).slice(0, 10))).toBe('older');
  });
});

describe('a listing', () => {
  const list = (query: string, status: number, body?: object) =>
    sample(
      { operationId: 'listMeasurements', query: [...new URLSearchParams(query)] },
      status,
      body ?? { message: 'No' },
    );
  const verdictOf = async (id: DecisionId, samples: readonly Sample[]) => {
    const { verdict, value } = (await answerAll(samples, openapi)).get(id) ?? {};
    return value ?? verdict;
  };

  test('that is odd is judged only beside an accepted one that is not', async () => {
    const page = { measurements: [{ id: 'a' }], total: 3, hasMore: true, nextCursor: 'c' };
    const around = (plain: number) =>
      ['2.5', '2.7', '1.5'].flatMap((limit) => {
        const control = list(`limit=${limit[0]}`, plain, plain === 200 ? page : undefined);
        return [control, list(`limit=${limit}`, 400), control];
      });
    expect(await verdictOf('fractional-limit', around(200))).toBe('reject');
    expect(await verdictOf('fractional-limit', around(400))).toBe('unseen');
    const alone = list('limit=3.5', 400);
    expect(await verdictOf('fractional-limit', [...around(200), alone])).toBe('reject');
  });

  test('is in the order of instants to their last digit', async () => {
    const measurements = ['c', 'a', 'e', 'd', 'b'].map((id, nth) => ({
      ...{ id, usageDate: { year: 2026, month: 1, day: 1 } },
      createdAt: `2026-01-01T00:00:00.0001${nth}Z`,
    }));
    const pages = [list('', 200, { measurements, total: 5, hasMore: false })];
    expect(await verdictOf('measurement-order', pages)).toBe('created-at');
  });

  test('shows at each end what stands for no cursor, while rows come and go', async () => {
    const ends = ['a', 'b'].map((id) =>
      list('', 200, { measurements: [{ id }], total: 1, hasMore: false, nextCursor: '' }),
    );
    expect(await verdictOf('final-cursor', ends)).toBe('empty-string');
  });
});

test('a name is settled only if all its variants that a service may take for it were asked for', async () => {
  const customer = { id: 'c1', name: 'Acme Works', aliases: ['alias'] };
  const byName = (name: string) => {
    const request = { operationId: 'getCustomerByName', path: { name } } as const;
    const isFound = name === customer.name;
    return sample(request, isFound ? 200 : 404, isFound ? { customer } : { message: 'No' });
  };
  const variants = variantsOf(customer.name);
  const asked = [customer.name, ...variants, 'alias', customer.name, 'acme works', 'alias'];
  const settledBy = async (names: readonly string[]) =>
    (await answerAll(names.map(byName), openapi)).get('name-matches')?.value;
  expect(await settledBy(asked)).toBe('exact');
  expect(await settledBy(asked.toSpliced(4, 1))).toBeUndefined();
});
