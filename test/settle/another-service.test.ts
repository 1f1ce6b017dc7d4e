import { type SettleReport, settle } from '../../src/index.js';
import { type AnotherServiceBehaviour, anotherService } from '../support/another-service.js';
import { useServices } from '../support/services.js';

const serve = useServices();

/** Checks a service that shares no code with the mock. */
async function ask(behaviour: AnotherServiceBehaviour, options: object = {}) {
  const { url, received } = await serve(anotherService(behaviour));
  const report = await settle({ target: url, token: 'right', rate: 1000, ...options });
  return { report, received };
}

/** The verdicts in short, by their decisions. */
function inShort({ verdicts }: SettleReport): Record<string, unknown> {
  return Object.fromEntries(
    verdicts.map(({ decision, verdict, value }) => [decision, value ?? verdict]),
  );
}

/** What can be settled about the plain service's listing. */
const LISTING = {
  'measurement-order': 'newest-first',
  'total-counts': 'all',
  'last-page': 'exact',
  'final-cursor': 'absent',
  'invalid-cursor': 'reject',
  'fractional-limit': 'reject',
  'limit-out-of-bounds': 'reject',
  'unknown-query-parameters': 'ignore',
};

describe('settle, of a service that is not this mock,', () => {
  test('tells what it does, whatever its ids, cursors and errors look like', async () => {
    const { report, received } = await ask({});
    expect(inShort(report)).toMatchObject({
      ...LISTING,
      'customer-id-matches': 'id-or-external-id',
      'name-matches': 'exact',
      'error-body': 'message',
      'invalid-request-status': 422,
      'unknown-identifier-status': 404,
      'unauthorized-status': 401,
      'unknown-token': 'reject',
      'optional-fields': 'present',
      'undocumented-fields': 'none',
      'repeat-delete': 'could-not-check',
    });
    expect(report.violations).toEqual([]);
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('tells in bounded time what is wrong with texts of a megabyte', async () => {
    const text = '@'.repeat(1_000_000);
    const hostile = { contacts: [{ email: text }], address: text, createdAt: text, [text]: text };
    const { report } = await ask({ customer: (one) => ({ ...one, ...hostile, id: 'c1' }) });
    const places = report.violations.map(({ pointer, example }) => `${pointer}: ${example}`);
    const shape = 'a text of 1000000 characters';
    const names = ['address', 'contacts/*/email', 'createdAt', `(${shape})`];
    const expected = names.map((name) => `/customer/${name}: ${shape}`);
    expect(places).toEqual(expect.arrayContaining(expected));
    expect(JSON.stringify(report).length).toBeLessThan(100_000);
  });

  test.each<[string, AnotherServiceBehaviour, object]>([
    ['counts wrongly', { total: (all) => all + 5 }, { 'total-counts': 'none' }],
    ['counts what is on a page', { total: (_, __, here) => here }, { 'total-counts': 'page' }],
    ['has nextCursor null at the end', { finalCursor: null }, { 'final-cursor': 'none' }],
    ['answers errors in HTML', { error: () => '<h1>Error</h1>' }, { 'error-body': 'none' }],
    [
      'refuses a limit with 422 and a cursor with 400',
      { invalidCursor: 400 },
      { 'invalid-request-status': 'none', 'invalid-cursor': 'reject' },
    ],
    [
      'has a single measurement',
      { measurements: 1 },
      {
        'measurement-order': 'could-not-check',
        'fractional-limit': 'reject',
        'final-cursor': 'absent',
      },
    ],
    [
      'has no measurement',
      { measurements: 0 },
      { 'measurement-order': 'could-not-check', 'customer-id-matches': 'could-not-check' },
    ],
  ])('which %s, says so and still tells the rest', async (_, behaviour, expected) => {
    const { report } = await ask(behaviour);
    expect(inShort(report)).toMatchObject(expected);
    expect(report.brokenOff).toBeUndefined();
    const { 'unauthorized-status': unauthorized } = inShort(report);
    expect(unauthorized).toBe(401);
  });

  test.each<[string, AnotherServiceBehaviour, object, RegExp]>([
    ['answers 401 to everything', { always: 401 }, {}, /401/],
    ['answers 500 to everything', { always: 500 }, {}, /500/],
    ['never answers', { isSilent: true }, { timeoutMs: 50 }, /no response within/],
  ])('which %s, could not be checked', async (_, behaviour, options, reason) => {
    const { report, received } = await ask(behaviour, options);
    const told = Object.values(inShort(report)).filter((verdict) => verdict !== 'could-not-check');
    expect(told.filter((verdict) => verdict !== 'undecided')).toEqual([]);
    expect(report.brokenOff).toMatch(reason);
    expect(received.length).toBeLessThan(10);
  });

  test('which breaks off after ten requests, keeps what these told', async () => {
    const { report } = await ask({ breaksOffAfter: 10 });
    expect(inShort(report)).toMatchObject({
      'measurement-order': 'newest-first',
      'total-counts': 'all',
      'unknown-token': 'could-not-check',
      'name-matches': 'could-not-check',
    });
    expect(report.brokenOff).toBeDefined();
  });

  test('lists what the document does not have, once, and nothing personal', async () => {
    const { report } = await ask({
      customer: (customer) => ({
        ...customer,
        source: 'Fax',
        vip: 'Ms Étoile',
        contacts: [{ email: 1 }],
      }),
    });
    const found = report.violations.map(({ kind, pointer }) => [kind, pointer]);
    expect(found).toContainEqual(['unlisted-member', '/customer/vip']);
    expect(found).toContainEqual(['unlisted-value', '/customer/source']);
    expect(found).toContainEqual(['wrong-type', '/customer/contacts/*/email']);
    expect(JSON.stringify(report)).not.toMatch(/Étoile|SF-100|cus_7Kq2mZ/);
    expect(inShort(report)).toMatchObject({
      'undocumented-fields': 'extra',
      'enum-values': 'undecided',
    });
  });
});
