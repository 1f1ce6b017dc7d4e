import type { Sample } from '../../src/tools/settle/seen/samples.js';
import { openapi } from '../support/document.js';
import { foundInData, sample, told } from '../support/settle.js';

const CUSTOMER = openapi.components.schemas.Customer.example;
const MEASUREMENT = openapi.components.schemas.Measurement.example;

const customerOf = (customer: object): Sample =>
  sample({ operationId: 'getCustomer', path: { customerId: 'x' } }, 200, { customer });

const listing = (measurements: readonly object[], more: object = {}): Sample =>
  sample({ operationId: 'listMeasurements' }, 200, {
    measurements,
    total: measurements.length,
    hasMore: false,
    ...more,
  });

const eventsOf = (events: readonly object[]): Sample =>
  sample({ operationId: 'deleteEventsByRefs', body: { refs: ['a'] } }, 200, { events });

const measurements = (count: number, change: (record: object, index: number) => object) =>
  Array.from({ length: count }, (_, index) => change({ ...MEASUREMENT, id: `m${index}` }, index));

/** Every second field of the record; the next record has the others. */
const half = (record: object, index: number) =>
  Object.fromEntries(
    Object.entries(record).filter(([name], place) => name === 'id' || (place + index) % 2 === 0),
  );

const without =
  (...names: string[]) =>
  (record: object) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

type Row = readonly [title: string, expected: unknown, exchanges: readonly Sample[]];

describe('optional-fields', () => {
  const bare = (record: object) => without(...Object.keys(MEASUREMENT).slice(1))(record);

  test.each<Row>([
    ['no record', 'unseen', [listing([])]],
    ['one whole customer', 'present', [customerOf(CUSTOMER)]],
    ['one whole measurement, which is little', 'undecided', [listing([MEASUREMENT])]],
    ['a customer without a value', 'undecided', [customerOf(without('externalId')(CUSTOMER))]],
    [
      'null in place of every value',
      'undecided',
      [listing(measurements(10, (record) => ({ ...record, value: null })))],
    ],
    [
      'null in the only customer, which is little',
      'undecided',
      [customerOf({ ...CUSTOMER, externalId: null })],
    ],
    [
      'null in the few customers seen, of which half may have a value',
      'undecided',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((id) =>
        customerOf({ ...CUSTOMER, id, externalId: null }),
      ),
    ],
    [
      'null in place of a value in half of the measurements',
      '/measurements/*/value=null',
      [listing(measurements(40, (record, at) => (at % 2 ? { ...record, value: null } : record)))],
    ],
    [
      'null in some measurements, and nothing in others',
      '/measurements/*/value,/measurements/*/value=null',
      [
        listing(
          measurements(40, (record, at) =>
            at % 3 ? record : at % 2 ? { ...record, value: null } : without('value')(record),
          ),
        ),
      ],
    ],
    [
      'null now and a value then',
      'undecided',
      [
        listing(measurements(40, (record) => record)),
        listing(measurements(40, (record, at) => (at % 2 ? { ...record, value: null } : record))),
      ],
    ],
    [
      'null in one of two customers, which is little',
      'undecided',
      [customerOf(CUSTOMER), customerOf({ ...CUSTOMER, id: 'other', externalId: null })],
    ],
    [
      'a few values missing among many',
      'present',
      [listing(measurements(40, (record) => record)), customerOf(without('externalId')(CUSTOMER))],
    ],
    [
      'half of the measurements lack updatedAt',
      '/measurements/*/updatedAt',
      [
        listing(
          measurements(40, (record, index) => (index % 2 ? without('updatedAt')(record) : record)),
        ),
      ],
    ],
    [
      'half of a few measurements, seen many times, lack updatedAt',
      'undecided',
      [1, 2, 3, 4].map(() =>
        listing(
          measurements(10, (record, index) => (index % 2 ? without('updatedAt')(record) : record)),
        ),
      ),
    ],
    ['three records with only their id', 'absent', [listing(measurements(3, bare))]],
    ['two of them', 'undecided', [listing(measurements(2, bare))]],
    ['the same one three times', 'undecided', [1, 2, 3].map(() => listing(measurements(1, bare)))],
    [
      'a bare record among whole ones',
      'undecided',
      [listing(measurements(3, bare)), customerOf(CUSTOMER)],
    ],
    [
      'half of the measurements lack updatedAt, and all customers have only their id',
      'undecided',
      [
        listing(
          measurements(60, (record, index) => (index % 2 ? without('updatedAt')(record) : record)),
        ),
        ...['a', 'b', 'c', 'd'].map((id) => customerOf({ id })),
      ],
    ],
    [
      'half is missing, twice the same',
      'undecided',
      [listing(measurements(20, half)), listing(measurements(12, half))],
    ],
    ['half is missing, seen once', 'undecided', [listing(measurements(20, half))]],
    [
      'half is missing, each time another',
      'undecided',
      [
        listing(measurements(20, half)),
        listing(measurements(20, (record, index) => half(record, index + 1))),
      ],
    ],
    [
      'the same half of every record is never there',
      'undecided',
      [1, 2].map(() =>
        listing(measurements(20, without('customerId', 'meterId', 'createdAt', 'updatedAt'))),
      ),
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('optional-fields', samples)).toBe(expected);
  });
});

describe('undocumented-fields', () => {
  test.each<Row>([
    ['only members of the document', 'none', [customerOf(CUSTOMER)]],
    ['no record', 'unseen', [sample({ operationId: 'listMeasurements' }, 404, { extra: 1 })]],
    ['a member of a record', 'extra', [customerOf({ ...CUSTOMER, tier: 'gold' })]],
    ['a member within a record', 'extra', [customerOf({ ...CUSTOMER, address: { zip: '1' } })]],
    ['a member within a list', 'extra', [customerOf({ ...CUSTOMER, contacts: [{ fax: '1' }] })]],
    ['a member of the envelope', 'extra', [listing([MEASUREMENT], { pageInfo: {} })]],
    [
      'an error with 200',
      'none',
      [
        customerOf(CUSTOMER),
        sample({ operationId: 'listMeasurements' }, 200, { error: { code: 1 } }),
      ],
    ],
    ['any data of an event', 'none', [eventsOf([{ id: 'e', data: { anything: 'x' } }])]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('undocumented-fields', samples)).toBe(expected);
  });

  test('names the member, unless its name may be data', () => {
    const seen = [
      customerOf({ ...CUSTOMER, contacts: [{ fax: '1' }] }),
      customerOf({ 'robin@acme.example': true }),
    ];
    expect(foundInData('undocumented-fields', seen).evidence).toEqual([
      'not none: GET /customers/{customerId} -> 200, /customer/contacts/*/fax is not in the document',
    ]);
    expect(foundInData('undocumented-fields', seen.slice(1)).evidence).toEqual([
      'not none: GET /customers/{customerId} -> 200, a member is not in the document',
    ]);
  });
});
