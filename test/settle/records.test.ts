import {
  kindsOf,
  type Lookup,
  type LookupKind,
  lookupsOf,
} from '../../src/tools/settle/seen/lookups.js';
import {
  isRandom,
  MADE_UP_NAME,
  randomLike,
  randomLookupLike,
  zerosLike,
} from '../../src/tools/settle/seen/made-up-values.js';
import { variantsOf } from '../../src/tools/settle/seen/name-variants.js';
import type { Sample } from '../../src/tools/settle/seen/samples.js';
import type { SeenCustomer } from '../../src/tools/settle/seen/seen-customers.js';
import { sample, told, verdictOn } from '../support/settle.js';

const ACME = {
  id: 'cus_1',
  externalId: 'EXT-1',
  name: 'Acme Corporation',
  aliases: ['acme', 'acme corporation'],
  createdAt: '2025-01-01T00:00:00.000Z',
};
const GLOBEX = {
  id: 'cus_2',
  externalId: 'EXT-2',
  name: 'Globex GmbH',
  aliases: ['globex'],
  createdAt: '2025-02-01T00:00:00.000Z',
};

const byId = (customerId: string, customer?: object, status = customer ? 200 : 404): Sample =>
  sample(
    { operationId: 'getCustomer', path: { customerId } },
    status,
    customer ? { customer } : { message: 'No.' },
  );

const byName = (name: string, customer?: object, status = customer ? 200 : 404): Sample =>
  sample(
    { operationId: 'getCustomerByName', path: { name } },
    status,
    customer ? { customer } : { message: 'No.' },
  );

/** Every lookup of a customer, of which these kinds succeed. */
const lookUp = (by: Lookup, finds: readonly LookupKind[], customer: Customer): Sample[] => {
  const seen: SeenCustomer = {
    externalId: undefined,
    name: undefined,
    aliases: [],
    createdAt: undefined,
    ...customer,
  };
  const isFound = (value: string) => kindsOf(value, seen).some((kind) => finds.includes(kind));
  const values = lookupsOf(seen, by, isFound).map(({ value }) => value);
  const variants = variantsOf(seen.name ?? '').map(([, text]) => text);
  const asked = by === 'getCustomer' ? values : new Set([...values, ...variants]);
  const look = by === 'getCustomer' ? byId : byName;
  return [...asked].map((value) => look(value, isFound(value) ? customer : undefined));
};

type Customer = Pick<SeenCustomer, 'id'> & Partial<SeenCustomer>;

const listing = (measurements: readonly object[], token: Sample['request']['token'] = 'given') =>
  sample({ operationId: 'listMeasurements', token }, 200, { measurements });

type Row = readonly [title: string, expected: unknown, exchanges: readonly Sample[]];

describe('customer-id-matches', () => {
  test.each<Row>([
    ['an id alone leaves the externalId open', 'undecided', [byId('cus_1', ACME)]],
    ['an externalId alone leaves the id open', 'undecided', [byId('EXT-1', ACME)]],
    [
      'both are matched, and nothing else was tried',
      'undecided',
      [byId('cus_1', ACME), byId('EXT-1', ACME)],
    ],
    ['both are matched', 'id-or-external-id', lookUp('getCustomer', ['id', 'externalId'], ACME)],
    ['the externalId of a customer is refused', 'id', lookUp('getCustomer', ['id'], ACME)],
    [
      'the id of a customer is refused',
      'external-id',
      [byName(ACME.name, ACME), ...lookUp('getCustomer', ['externalId'], ACME)],
    ],
    [
      'an id is matched in any case',
      'none',
      lookUp('getCustomer', ['id', 'id in another case'], ACME),
    ],
    ['a name is matched too', 'none', lookUp('getCustomer', ['id', 'name'], ACME)],
    [
      'one customer of two is found by its externalId',
      'undecided',
      [
        ...lookUp('getCustomer', ['id'], ACME),
        ...lookUp('getCustomer', ['id', 'externalId'], GLOBEX),
      ],
    ],
    [
      'an externalId is found only when it is asked for again',
      'undecided',
      [...lookUp('getCustomer', ['id'], ACME), byId('EXT-1', ACME)],
    ],
    ['something else is matched', 'none', [byId('ERP-1', ACME)]],
    ['a customer shows no externalId', 'undecided', [byId('cus_1', { id: 'cus_1' })]],
    ['id and externalId are the same', 'undecided', [byId('x', { id: 'x', externalId: 'x' })]],
    ['ids are numbers', 'undecided', [byId('7', { id: 7, externalId: 'EXT-7' })]],
    [
      'another customer has the externalId as its id',
      'external-id',
      [
        byName('B', { id: 'EXT-1', name: 'B' }),
        byName(ACME.name, ACME),
        ...lookUp('getCustomer', ['externalId'], ACME),
      ],
    ],
    ['an unknown id is refused', 'could-not-check', [byId('nobody')]],
    ['what was found is gone later', 'undecided', [byId('cus_1', ACME), byId('cus_1')]],
    [
      'an externalId is odd in a path',
      'undecided',
      [byId('cus_1', { ...ACME, externalId: 'a/b' }), byId('a/b')],
    ],
    [
      'none that measurements name is found, as without a permission',
      'could-not-check',
      [listing(['a', 'b', 'c'].map((customerId) => ({ customerId }))), ...'abc'].map((one) =>
        typeof one === 'string' ? byId(one) : one,
      ),
    ],
    [
      'a call with another token finds nothing',
      'undecided',
      [
        byId('cus_1', ACME),
        sample(
          { operationId: 'getCustomer', path: { customerId: 'EXT-1' }, token: 'made-up' },
          404,
        ),
      ],
    ],
    [
      'a query may be what is refused',
      'undecided',
      [
        byId('cus_1', ACME),
        sample(
          { operationId: 'getCustomer', path: { customerId: 'EXT-1' }, query: [['expand', 'all']] },
          400,
        ),
      ],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('customer-id-matches', samples)).toBe(expected);
  });

  test('is shown without an identifier', () => {
    const verdict = verdictOn('customer-id-matches', [byId('cus_1', ACME), byId('EXT-1')]);
    expect(verdict.evidence).toEqual([
      'GET /customers/{customerId} -> 200, found by its id',
      'GET /customers/{customerId} -> 404, asked for the externalId of a customer',
    ]);
  });
});

describe('name-matches', () => {
  const known = [byId('cus_1', ACME), byId('cus_2', GLOBEX)];
  const lookUpName = (...finds: readonly LookupKind[]) =>
    lookUp('getCustomerByName', ['name', ...finds], GLOBEX);

  test.each<Row>([
    ['another case is found', 'case-insensitive', lookUpName('name in another case')],
    ['an alias is found', 'name-or-alias', lookUpName('alias')],
    ['another case and an alias are refused', 'exact', lookUpName()],
    ['a space after it is cut off', 'none', lookUpName('a space after it')],
    ['an alias is found in another case', 'none', lookUpName('alias', 'alias in another case')],
    ['an id is found', 'none', lookUpName('id')],
    ['a form of the name was not tried', 'undecided', lookUpName().slice(0, -1)],
  ])('%s, and no other form of a name: %s', (_, expected, samples) => {
    expect(told('name-matches', [...known, ...samples])).toBe(expected);
  });

  test.each<Row>([
    ['its own name tells nothing', 'undecided', [byName('Globex GmbH', GLOBEX)]],
    ['another case is found', 'undecided', [byName('gLOBEX gMBH', GLOBEX)]],
    [
      'another case and an alias are refused',
      'undecided',
      [byName('GLOBEX GMBH'), byName('globex')],
    ],
    ['another case alone is refused', 'undecided', [byName('GLOBEX GMBH')]],
    ['an alias alone is refused', 'undecided', [byName('globex')]],
    ['both are found', 'none', [byName('gLOBEX gMBH', GLOBEX), byName('globex', GLOBEX)]],
    ['an alias is found in another case', 'none', [byName('GLOBEX', GLOBEX)]],
    ['the beginning of a name is found', 'none', [byName('Glob', GLOBEX)]],
    ['an exact name is refused', 'none', [byName('Globex GmbH')]],
    [
      'an alias that is the name in another case is found',
      'undecided',
      [byName('acme corporation', ACME)],
    ],
    [
      'an alias that is the name in another case is refused',
      'undecided',
      [byName('acme corporation')],
    ],
    ['several have the name', 'could-not-check', [byName('globex', undefined, 409)]],
    ['an unknown name is refused', 'could-not-check', [byName('Initech')]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('name-matches', [...known, ...samples])).toBe(expected);
  });

  test.each<Row>([
    [
      'a letter that some services do not fold is refused',
      'undecided',
      [byId('c', { id: 'c', name: 'Müller' }), byName('MÜLLER')],
    ],
    [
      'a name without cased letters is refused by its alias alone',
      'undecided',
      [
        byId('c', { id: 'c', name: '北極星', aliases: ['x'] }),
        byName('北極星', { id: 'c' }),
        byName('x'),
      ],
    ],
    [
      'a customer with another name shows no aliases',
      'undecided',
      [byName('Glob', { id: 'c', name: 'Globex' })],
    ],
    [
      'a customer without aliases is found in another case, which may be one',
      'undecided',
      [byName('globex', { id: 'c', name: 'Globex' })],
    ],
    [
      'a customer without aliases is found in a case that no alias has',
      'undecided',
      [byName('gLOBEX', { id: 'c', name: 'Globex' })],
    ],
    ['a customer shows no name', 'undecided', [byName('Globex', { id: 'c' })]],
    [
      'a name is odd in a path',
      'could-not-check',
      [byId('c', { id: 'c', name: 'Blue/Green' }), byName('Blue/Green')],
    ],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('name-matches', samples)).toBe(expected);
  });
});

describe('duplicate-name', () => {
  const younger = { ...GLOBEX, name: ACME.name };
  const known = [byId('cus_1', ACME), byId('cus_2', younger)];
  const fourTimes = (found?: object, status?: number) =>
    Array.from({ length: 4 }, () => byName(ACME.name, found, status));

  test.each<Row>([
    ['the older is returned', 'oldest', fourTimes(ACME)],
    [
      'the older is returned three times, and once the younger',
      'undecided',
      [...fourTimes(ACME).slice(1), byName(ACME.name, younger)],
    ],
    ['the older is returned, perhaps by chance', 'undecided', fourTimes(ACME).slice(1)],
    ['the younger is returned', 'none', fourTimes(younger)],
    ['neither is returned', 'conflict', fourTimes(undefined, 409)],
    ['the name is refused otherwise', 'none', fourTimes(undefined, 422)],
    ['another name is refused', 'could-not-check', [byName('Initech')]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('duplicate-name', [...known, ...samples])).toBe(expected);
  });

  test('is what refuses a name that two customers have, not how names match', () => {
    const refused = [...known, byName(ACME.name, undefined, 422)];
    expect(told('name-matches', refused)).toBe('could-not-check');
  });

  test('is not told by a name that one customer has', () => {
    expect(told('duplicate-name', [byName(ACME.name, ACME)])).toBe('could-not-check');
  });

  test('is not told by customers created at the same time, whose ids may be numbers', () => {
    const samples = [
      byId('9', { ...ACME, id: 9 }),
      byId('10', { ...ACME, id: 10 }),
      byName(ACME.name, { ...ACME, id: 9 }),
    ];
    expect(told('duplicate-name', samples)).toBe('could-not-check');
  });
});

describe('unknown-identifier-status', () => {
  const withoutCustomer = sample(
    { operationId: 'getCustomer', path: { customerId: zerosLike('cus_1a') } },
    200,
    { error: 'No' },
  );
  const RANDOM_ID = String(randomLookupLike('cus_1', 'a seed'));
  const unknownId = (status: number, body?: object) => byId(zerosLike('cus_1a'), body, status);
  const known = byId('cus_1', ACME);

  test.each<Row>([
    ['404 for an unknown id and name', 404, [known, unknownId(404), byName(MADE_UP_NAME)]],
    ['400 for both', 400, [known, unknownId(400), byName(MADE_UP_NAME, undefined, 400)]],
    ['400 for an id, 404 for a name', 'undecided', [known, unknownId(400), byName(MADE_UP_NAME)]],
    [
      '404 for an id of zeros, and 400 for a random one',
      'undecided',
      [known, unknownId(404), byId(RANDOM_ID, undefined, 400)],
    ],
    [
      'an id of zeros that exists',
      404,
      [
        byId('cus_00000000', { ...ACME, id: 'cus_00000000' }),
        byName(ACME.name, ACME),
        byName(MADE_UP_NAME),
      ],
    ],
    ['410', 'none', [known, unknownId(410)]],
    ['200 without a customer', 'none', [known, withoutCustomer]],
    ['404 for any id', 404, [known, byId('nobody')]],
    [
      '400 for any id, which may be about its form',
      'could-not-check',
      [known, byId('x', undefined, 400)],
    ],
    ['404 to everything', 'could-not-check', [unknownId(404), byName(MADE_UP_NAME)]],
    ['500', 'could-not-check', [known, unknownId(500)]],
    ['429', 'could-not-check', [known, unknownId(429)]],
  ])('%s: %s', (_, expected, samples) => {
    expect(told('unknown-identifier-status', samples)).toBe(expected);
  });

  test.each([
    ['cus_1a2b3c4d5e', 'cus_0000000000'],
    ['7f9c-é1b2c', '0000-00000'],
    ['cus_0', 'cus_00000000'],
    ['65a000000000000000000001', '000000000000000000000000'],
    [undefined, '000000000000000000000000'],
  ])('is asked for an id in the form of %s', (known, made) => {
    expect(zerosLike(known)).toBe(made);
  });
});

describe('a random value', () => {
  test.each([
    ['65a000000000000000000001', /^[\da-f]{24}$/],
    [
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-9[\da-f]{3}-[\da-f]{12}$/,
    ],
    ['cus_01HZX3J4Q5ABCDEFGHJKMNPQRS', /^cus_[\dA-Z]{26}$/],
    ['0015g00000XyZabAAF', /^[\dA-Za-z]{18}$/],
  ])('in the form of %s is another one for each seed, and is known again', (known, form) => {
    const made = ['one', 'other', 'third'].map((seed) => String(randomLike(known, seed)));
    expect(new Set(made).size).toBe(3);
    for (const one of made) expect(one).toMatch(form);
    expect(made.map((one) => isRandom(one))).toEqual([true, true, true]);
    expect(isRandom(known)).toBe(false);
  });

  test('is not made up for a short one, and a longer one is for what is only looked up', () => {
    expect(randomLike('cus_1a', 'seed')).toBeUndefined();
    expect(randomLookupLike('cus_1a', 'seed')).toMatch(/^cus_[\da-f]{16,}$/);
    expect(isRandom(String(randomLookupLike('7', 'seed')))).toBe(true);
  });
});

describe('tokens', () => {
  const list = (token: Sample['request']['token'], status: number, measurements = [{ id: 'm' }]) =>
    sample({ operationId: 'listMeasurements', token }, status, { measurements });

  test.each<readonly [string, unknown, unknown, readonly Sample[]]>([
    ['401 for both', 401, 'reject', [list('none', 401), list('made-up', 401)]],
    ['403 for both', 403, 'reject', [list('none', 403), list('made-up', 403)]],
    [
      '401 without, 403 with a made-up one',
      'none',
      'reject',
      [list('none', 401), list('made-up', 403)],
    ],
    ['a made-up token is accepted', 401, 'open-account', [list('none', 401), list('made-up', 200)]],
    [
      'a made-up token gets an empty listing',
      401,
      'undecided',
      [list('none', 401), list('made-up', 200, [])],
    ],
    [
      'the form of a token is looked at',
      401,
      'none',
      [list('none', 401), list('made-up', 401), list('alike', 200)],
    ],
    ['no token is needed', 'none', 'could-not-check', [list('none', 200), list('made-up', 200)]],
    ['an unknown account is not found', 'none', 'could-not-check', [list('made-up', 404)]],
    [
      'the service fails',
      'could-not-check',
      'could-not-check',
      [list('none', 500), list('made-up', 503)],
    ],
    ['a login page', 'could-not-check', 'could-not-check', [list('none', 302)]],
    ['the given token is refused', 'could-not-check', 'could-not-check', [list('given', 401)]],
    ['a recorded 401', 401, 'could-not-check', [list('unknown', 401)]],
    ['a recorded 403', 'could-not-check', 'could-not-check', [list('unknown', 403)]],
  ])('%s: %s, %s', (_, unauthorized, unknown, samples) => {
    expect(told('unauthorized-status', samples)).toBe(unauthorized);
    expect(told('unknown-token', samples)).toBe(unknown);
  });
});
