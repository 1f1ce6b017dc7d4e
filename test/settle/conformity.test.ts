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

  it('are none in what the document leaves open', async () => {
    const open = { 'undocumented-fields': 'extra', 'enum-values': 'unfamiliar' } as const;
    expect(check(...(await seenOfMock({ ...open, 'optional-fields': 'absent' })))).toEqual([]);
  });

  it('are wrong types and formats, with what was expected', () => {
    const records = [
      { value: '12', createdAt: '2026-01-31', usageDate: { year: 2026.5 } },
      { value: null, createdAt: 'last Friday', usageDate: [1, 2] },
      { value: 3, createdAt: '2026-01-31T12:00:00Z' },
    ];
    expect(check(page(records, { hasMore: 'no' }))).toEqual([
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
      violation('wrong-type', '/hasMore', 1, 1, 'true or false', 'a text of 2 characters'),
    ]);
  });

  it('are items of a list, and values of a map under no name of their own', () => {
    expect(check(customer({ aliases: ['a', 1, { a: 1 }] }))).toEqual([
      expect.objectContaining({ pointer: '/customer/aliases/*', count: 2, of: 3 }),
    ]);
    expect(check(json('deleteEventsByRefs', { events: [{ data: { 'a@b.c': 1 } }] }))).toEqual([
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
    expect(check(page(Array.from({ length: 1001 }, () => ({}))))).toEqual([
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
    expect(found.length).toBeGreaterThan(8);
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
