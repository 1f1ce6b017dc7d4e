import type { CalledOperation, Input } from '../../src/core/openapi/judge.js';
import type { DecisionChanges } from '../../src/index.js';

/** The operations in the form in which a judge receives them. */
export const OPERATIONS = {
  deleteContract: { template: '/contracts/{contractId}', method: 'DELETE' },
  getCustomerByName: { template: '/customers/name/{name}', method: 'GET' },
  getCustomer: { template: '/customers/{customerId}', method: 'GET' },
  listMeasurements: { template: '/measurements', method: 'GET' },
  deleteEventsByRefs: { template: '/events/delete-by-refs', method: 'POST' },
} as const satisfies Readonly<Record<string, CalledOperation>>;

interface Judged {
  readonly operation: keyof typeof OPERATIONS;
  /** The decisions in force that differ from the default. */
  readonly decisions?: DecisionChanges;
}

/** A request, and the verdict of every judge on it. */
export interface JudgedRequest extends Judged, Partial<Input> {
  /** The rules that it breaks, each as a pointer and a keyword; none if it is valid. */
  readonly broken: readonly string[];
  /** The query's values as the operation receives them. */
  readonly converted?: Readonly<Record<string, unknown>>;
}

const NONE: readonly string[] = [];
const LIST = { operation: 'listMeasurements', path: {} } as const;
const REFS = { operation: 'deleteEventsByRefs', path: {}, query: {} } as const;
const STRICT = { 'unknown-body-members': 'reject' } as const;
const WHOLE = { 'fractional-limit': 'reject' } as const;
const EMPTY_ALLOWED = { 'empty-parameter': 'absent' } as const;

const pathsOf = (operation: Judged['operation'], name: string): JudgedRequest[] =>
  [
    'k1',
    '65b000000000000000000001',
    'a b',
    'a/b',
    'ü€🙂',
    '%',
    "a'&@:+b",
    '0',
    '..;',
    'x'.repeat(2_000),
  ].map((value) => ({ operation, path: { [name]: value }, broken: NONE }));

const limits = (broken: readonly string[], ...values: readonly unknown[]): JudgedRequest[] =>
  values.map((limit) => ({ ...LIST, query: { limit }, broken }));

const bodies = (broken: readonly string[], ...values: readonly unknown[]): JudgedRequest[] =>
  values.map((body) => ({ ...REFS, body, broken }));

/** Requests as they reach a judge: with only documented query parameters, and parsed bodies. */
export const REQUESTS: readonly JudgedRequest[] = [
  ...pathsOf('deleteContract', 'contractId'),
  ...pathsOf('getCustomerByName', 'name'),
  ...pathsOf('getCustomer', 'customerId'),
  { ...LIST, query: {}, broken: NONE, converted: { limit: 10 } },
  ...['1', '1e2', '10.0', '2.5', '007', '1000', '999.9'].map((limit) => ({
    ...{ ...LIST, query: { limit }, broken: NONE },
    converted: { limit: Number(limit) },
  })),
  { ...LIST, query: { cursor: '12' }, broken: NONE, converted: { cursor: '12', limit: 10 } },
  { ...LIST, query: { cursor: 'a/b:c' }, broken: NONE, converted: { cursor: 'a/b:c', limit: 10 } },
  ...limits(['/query/limit minimum'], '0', '-1', '0.9', '-1e9'),
  ...limits(['/query/limit maximum'], '1001', '1000.1', '1e4'),
  ...limits(['/query/limit type'], 'ten', 'NaN', '1,000', '2x', 'null', '[]', ['1', '2']),
  { ...LIST, query: { cursor: ['a', 'b'] }, broken: ['/query/cursor type'] },
  {
    ...LIST,
    query: { limit: 'x', cursor: ['a', 'b'] },
    broken: ['/query/cursor type', '/query/limit type'],
  },
  { ...LIST, decisions: WHOLE, query: { limit: '2.5' }, broken: ['/query/limit type'] },
  { ...LIST, decisions: WHOLE, query: { limit: '2.0' }, broken: NONE, converted: { limit: 2 } },
  { ...LIST, query: { limit: '' }, broken: ['/query/limit type'] },
  { ...LIST, query: { cursor: '' }, broken: NONE },
  { ...LIST, decisions: EMPTY_ALLOWED, query: { cursor: '' }, broken: NONE },
  ...bodies(NONE, { refs: ['a'] }, { refs: [''] }, { refs: ['a', 'a'] }, { refs: ['a'], other: 1 }),
  ...bodies(NONE, { refs: Array.from({ length: 1_000 }, (_none, nth) => `r${nth}`) }),
  ...bodies(['/body type'], [], ['a'], [{ refs: ['a'] }]),
  ...bodies(['/body/refs required'], {}, { ref: ['a'] }, { Refs: ['a'] }),
  ...bodies(['/body/refs type'], { refs: null }, { refs: 'a' }, { refs: 1 }, { refs: { 0: 'a' } }),
  ...bodies(['/body/refs minItems'], { refs: [] }),
  ...bodies(['/body/refs maxItems'], { refs: Array.from({ length: 1_001 }, () => 'a') }),
  ...bodies(
    ['/body/refs/0 type'],
    { refs: [1] },
    { refs: [null] },
    { refs: [['a']] },
    { refs: [true] },
  ),
  ...bodies(['/body/refs/1 type', '/body/refs/3 type'], { refs: ['a', 1, 'b', {}] }),
  { ...REFS, decisions: STRICT, body: { refs: ['a'] }, broken: NONE },
  {
    ...REFS,
    decisions: STRICT,
    body: { refs: ['a'], b: 1 },
    broken: ['/body/b additionalProperties'],
  },
  {
    ...REFS,
    decisions: STRICT,
    body: { b: 1, c: 2 },
    broken: ['/body/b additionalProperties', '/body/c additionalProperties', '/body/refs required'],
  },
];

/** A response, and the verdict of every judge on it. */
export interface JudgedResponse extends Judged {
  readonly status?: number;
  readonly body: object;
  /** The first rule that it breaks: a pointer, and the rule in Ajv's words. */
  readonly breaks?: string;
}

const AT = '2026-01-01T00:00:00.000Z';
const CONTRACT = { id: 'k1', products: [{ scheduling: { billingDay: 1 } }], deletedAt: AT };
const EVENT = { id: 'e1', timestamp: AT, data: { region: 'us' }, deletedAt: AT };
const PAGE = { measurements: [], total: 0, hasMore: false };

/** Under a decision that lets one member be null. */
const NO_DATE = {
  operation: 'listMeasurements',
  decisions: { 'optional-fields': '/measurements/*/usageDate=null' },
} as const;

const broken = (operation: Judged['operation'], rows: readonly (readonly [object, string])[]) =>
  rows.map(([body, rule]): JudgedResponse => ({ operation, body, breaks: `/response${rule}` }));

const customers = (operation: 'getCustomer' | 'getCustomerByName'): readonly JudgedResponse[] => [
  { operation, body: { customer: {} } },
  { operation, body: { customer: { id: 'c', contacts: [{ email: 'a@b.example' }], x: 1 } } },
  ...broken(operation, [
    [{}, " must have required property 'customer'"],
    [{ customer: null }, '/customer must be object'],
    [{ customer: { id: 1 } }, '/customer/id must be string'],
    [{ customer: { aliases: ['a', 2] } }, '/customer/aliases/1 must be string'],
    [{ customer: { address: [] } }, '/customer/address must be object'],
    [
      { customer: { contacts: [{ email: 'nobody' }] } },
      '/customer/contacts/0/email must match format "email"',
    ],
    [{ customer: { createdAt: 'today' } }, '/customer/createdAt must match format "date-time"'],
  ]),
];

/** Responses as an operation returns them; their status is 200 unless they name another. */
export const RESPONSES: readonly JudgedResponse[] = [
  { operation: 'deleteContract', body: { contract: CONTRACT } },
  { operation: 'deleteContract', body: { contract: {}, more: true } },
  {
    operation: 'deleteContract',
    decisions: { 'success-status': 202 },
    status: 202,
    body: { contract: {} },
  },
  ...broken('deleteContract', [
    [{ contract: { products: {} } }, '/contract/products must be array'],
    [
      { contract: { products: [{ pricing: { price: '1' } }] } },
      '/contract/products/0/pricing/price must be number',
    ],
    [
      { contract: { products: [{ scheduling: { billingDay: 1.5 } }] } },
      '/contract/products/0/scheduling/billingDay must be integer',
    ],
  ]),
  ...customers('getCustomer'),
  ...customers('getCustomerByName'),
  { operation: 'listMeasurements', body: PAGE },
  { operation: 'listMeasurements', body: { ...PAGE, nextCursor: 'x' } },
  ...broken('listMeasurements', [
    [{ ...PAGE, total: undefined }, " must have required property 'total'"],
    [{ ...PAGE, total: '0' }, '/total must be number'],
    [{ ...PAGE, hasMore: 0 }, '/hasMore must be boolean'],
    [{ ...PAGE, nextCursor: null }, '/nextCursor must be string'],
    [
      { ...PAGE, measurements: [{ usageDate: { day: '1' } }] },
      '/measurements/0/usageDate/day must be integer',
    ],
    [
      { ...PAGE, measurements: Array.from({ length: 1_001 }, () => ({})) },
      '/measurements must NOT have more than 1000 items',
    ],
  ]),
  { ...NO_DATE, body: { ...PAGE, measurements: [{ usageDate: null, value: 1 }] } },
  {
    ...NO_DATE,
    body: { ...PAGE, measurements: [{ usageDate: null, value: null }] },
    breaks: '/response/measurements/0/value must be number',
  },
  { operation: 'deleteEventsByRefs', body: { events: [EVENT] } },
  { operation: 'deleteEventsByRefs', body: { events: [] } },
  {
    operation: 'deleteEventsByRefs',
    decisions: { 'success-status': 201 },
    status: 201,
    body: { events: [] },
  },
  ...broken('deleteEventsByRefs', [
    [{}, " must have required property 'events'"],
    [{ events: [null] }, '/events/0 must be object'],
    [{ events: [{ data: { units: 12 } }] }, '/events/0/data/units must be string'],
    [{ events: [EVENT, { timestamp: 5 }] }, '/events/1/timestamp must be string'],
  ]),
];
