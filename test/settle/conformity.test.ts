import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../src/core/openapi/route-table.js';
import { createMockServer, type Decisions } from '../../src/index.js';
import { violationsOf } from '../../src/tools/settle/conformity.js';
import { readRecording } from '../../src/tools/settle/recordings/calls-of-recording.js';
import type { Sample, SampleBody } from '../../src/tools/settle/seen/samples.js';
import type { Violation } from '../../src/tools/settle/settle-report.js';
import { openapi } from '../support/document.js';

const document: OpenApiDocument = openapi;
type OperationId = Sample['request']['operationId'];

const answered = (operationId: OperationId, body: SampleBody, status = 200): Sample => ({
  request: { operationId, path: {}, query: [], token: 'given' },
  response: { status, headers: {}, body },
  sentAtMs: 0,
});
const json = (operationId: OperationId, value: unknown, status?: number) =>
  answered(operationId, { kind: 'json', value }, status);
const check = (...samples: Sample[]) => violationsOf({ samples, document });
/** The violations, without members that no record has. */
const wrong = (...samples: Sample[]) =>
  check(...samples).filter(({ kind }) => kind !== 'never-present');
const customer = (value: unknown) => json('getCustomer', { customer: value });
const page = (measurements: unknown, more: object = {}) =>
  json('listMeasurements', { measurements, total: 1, hasMore: false, ...more });

/** Samples of the mock's responses under decisions. */
async function seenOfMock(decisions: Partial<Decisions>): Promise<Sample[]> {
  const server = await createMockServer({ decisions });
  const requests: [OperationId, string, RequestInit][] = [
    ['listMeasurements', '/measurements?limit=1000', {}],
    ['getCustomer', '/customers/65a000000000000000000001', {}],
    ['getCustomerByName', '/customers/name/Acme%20Corporation', {}],
    ['deleteContract', '/contracts/65b000000000000000000001', { method: 'DELETE' }],
    [
      'deleteEventsByRefs',
      '/events/delete-by-refs',
      {
        method: 'POST',
        body: JSON.stringify({ refs: ['acme-2026-03-31-001'] }),
        headers: { 'content-type': 'application/json' },
      },
    ],
  ];
  return Promise.all(
    requests.map(async ([operationId, path, { headers, ...init }]) => {
      const response = await server.fetch(`http://any${path}`, {
        ...init,
        headers: { ...headers, authorization: 'Bearer a' },
      });
      return json(operationId, await response.json(), response.status);
    }),
  );
}

describe('violations of the document', () => {
  it('are none in what the mock answers by default', async () => {
    expect(check(...(await seenOfMock({})))).toEqual([]);
  });

  it('are none in refusals, and in recordings without bodies', () => {
    expect(check(json('getCustomer', { message: 'no' }, 404))).toEqual([]);
    const text = readFileSync('test/settle/recordings/playwright-omit.har', 'utf8');
    const { samples } = readRecording(text, { name: 'a.har', document });
    expect(check(...samples)).toEqual([]);
  });

  it('are members that the document does not list, each once', async () => {
    const found = check(...(await seenOfMock({ 'undocumented-fields': 'extra' })));
    expect(found.every(({ kind }) => kind === 'unlisted-member')).toBe(true);
    expect(found.slice(0, 2)).toEqual([
      {
        kind: 'unlisted-member',
        operationId: 'listMeasurements',
        pointer: '/measurements/*/undocumentedText',
        count: 1000,
        of: 1000,
        example: 'a text of 19 characters',
      },
      {
        kind: 'unlisted-member',
        operationId: 'listMeasurements',
        pointer: '/measurements/*/undocumentedObject',
        count: 1000,
        of: 1000,
        example: 'an object of 1 member',
      },
    ]);
    expect(found.map(({ pointer }) => pointer)).toContain('/customer/undocumentedText');
    expect(wrong(page([], { next_page: 2 }))).toEqual([
      expect.objectContaining({ kind: 'unlisted-member', pointer: '/next_page', count: 1, of: 1 }),
    ]);
  });

  it('are values that the open lists do not name, with those values', async () => {
    const found = check(...(await seenOfMock({ 'enum-values': 'unfamiliar' })));
    expect(found.map(({ kind, pointer, example }) => [kind, pointer, example])).toEqual([
      ['unlisted-value', '/customer/source', 'Unfamiliar'],
      ['unlisted-value', '/customer/source', 'Unfamiliar'],
      ['unlisted-value', '/contract/products/*/scheduling/duration/unit', 'FORTNIGHT'],
      ['unlisted-value', '/contract/products/*/pricing/type', 'UNFAMILIAR'],
    ]);
    const sources = ['Zuora', 'Xero', 'Api', 'Zuora', 'A', 'B', 'C', 'D'];
    expect(wrong(...sources.map((source) => customer({ source })))).toEqual([
      {
        kind: 'unlisted-value',
        operationId: 'getCustomer',
        pointer: '/customer/source',
        count: 7,
        of: 8,
        expected: 'one of Api, Stripe, Salesforce, HubSpot',
        example: 'Zuora, Xero, A, B, C',
      },
    ]);
  });

  it('are documented members that no record of a kind has', async () => {
    const found = check(...(await seenOfMock({ 'optional-fields': 'absent' })));
    expect(found.every(({ kind }) => kind === 'never-present')).toBe(true);
    expect(found[0]).toEqual({
      kind: 'never-present',
      operationId: 'listMeasurements',
      pointer: '/measurements/*/customerId',
      count: 1000,
      of: 1000,
    });
    const names = found.filter(({ pointer }) => pointer === '/customer/name');
    expect(names).toEqual([expect.objectContaining({ count: 2, of: 2 })]);
    expect(check(customer({ id: '1' }), customer({ name: 'a' }))).not.toContainEqual(
      expect.objectContaining({ pointer: '/customer/name' }),
    );
  });

  it('are wrong types and formats, with what was expected', () => {
    const records = [
      { value: '12', createdAt: '2026-01-31', usageDate: { year: 2026.5 } },
      { value: null, createdAt: 'last Friday', usageDate: [1, 2] },
      { value: 3, createdAt: '2026-01-31T12:00:00Z' },
    ];
    expect(wrong(page(records, { hasMore: 'no' }))).toEqual([
      violation('wrong-type', '/measurements/*/value', 2, 3, 'a number', "'00'"),
      violation(
        'wrong-format',
        '/measurements/*/createdAt',
        2,
        3,
        'a value in the format date-time',
        "'0000-00-00'",
      ),
      violation('wrong-type', '/measurements/*/usageDate/year', 1, 2, 'an integer', 'a number'),
      violation('wrong-type', '/measurements/*/usageDate', 1, 3, 'an object', 'a list of 2 items'),
      violation('wrong-type', '/hasMore', 1, 1, 'a boolean', 'a text of 2 characters'),
    ]);
  });

  it('are items of a list, and values of a map under no name of their own', () => {
    expect(wrong(customer({ aliases: ['a', 1, { a: 1 }] }))).toEqual([
      expect.objectContaining({ pointer: '/customer/aliases/*', count: 2, of: 3 }),
    ]);
    expect(wrong(json('deleteEventsByRefs', { events: [{ data: { 'a@b.c': 1 } }] }))).toEqual([
      expect.objectContaining({ pointer: '/events/*/data/*', count: 1, of: 1 }),
    ]);
  });

  it('are required members that are absent', () => {
    const body = { measurements: [], hasMore: false };
    expect(check(json('listMeasurements', body), page([]))).toEqual([
      {
        kind: 'missing-member',
        operationId: 'listMeasurements',
        pointer: '/total',
        count: 1,
        of: 2,
      },
    ]);
  });

  it('are bodies that are not JSON, or are absent', () => {
    const [text] = check(answered('getCustomer', { kind: 'text' }));
    expect(text).toMatchObject({ pointer: '', example: 'text that is not JSON', of: 1 });
    const [empty] = check(answered('deleteContract', { kind: 'empty' }, 204));
    expect(empty).toMatchObject({ pointer: '', example: 'no body', expected: 'an object' });
    const [list] = check(json('getCustomer', []));
    expect(list).toMatchObject({ kind: 'wrong-type', pointer: '', example: 'a list of 0 items' });
  });

  it('are lists that are longer than documented', () => {
    expect(wrong(page(Array.from({ length: 1001 }, () => ({}))))).toEqual([
      violation(
        'out-of-bounds',
        '/measurements',
        1,
        1,
        'at most 1000 items',
        'a list of 1001 items',
      ),
    ]);
  });

  it('are at most 100, the most frequent ones', () => {
    const records = Array.from({ length: 300 }, (_, index) => ({ [`extra${index}`]: 1, often: 1 }));
    const found = check(page(records));
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({ pointer: '/measurements/*/often', count: 300 });
  });

  it('say nothing that is personal', () => {
    const personal = {
      name: 'Quentin Zephyrhills',
      email: 'quentin@zephyr.example',
      phone: '+12175550142',
      address: '742 Evergreen Terrace',
      birthday: '1979-05-06',
    };
    const texts = Object.values(personal);
    const found = check(
      customer({
        ...personal,
        contacts: [{ name: 1, email: personal.name, ...{ extra: personal } }],
      }),
      customer({ name: texts, source: personal.name, contacts: personal.email }),
      ...texts.map((text) => customer(text)),
      ...texts.map((source) => customer({ source, [source]: source, createdAt: source })),
      ...texts.map((text) => page([{ value: text, usageDate: { year: text } }], { [text]: text })),
      json('deleteEventsByRefs', { events: [{ data: { [personal.email]: 5 } }] }),
      json('getCustomerByName', personal.name),
    );
    const said = JSON.stringify(found);
    expect(found.length).toBeGreaterThan(20);
    for (const word of ['Quentin', 'quentin', 'ephyr', '2175550142', '742', 'Evergreen', '1979']) {
      expect(said).not.toContain(word);
    }
  });

  it('are counted in 7,000 records', () => {
    const record = { id: 'a', value: 'b', usageDate: { year: 1, month: 2 }, extra: 1 };
    const pages = Array.from({ length: 70 }, () => page(Array.from({ length: 100 }, () => record)));
    expect(check(...pages)[0]?.count).toBe(7000);
  });
});

function violation(
  kind: Violation['kind'],
  pointer: string,
  count: number,
  of: number,
  expected: string,
  example: string,
): Violation {
  return { kind, operationId: 'listMeasurements', pointer, count, of, expected, example };
}
