import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { OptionError } from '../../src/core/errors/option-error.js';
import { readDocuments } from '../../src/host/server/documents/package-files.js';
import { sign } from '../../src/host/server/process/node-platform.js';
import { createMockServer } from '../../src/index.js';
import { readRecordedFixture } from '../../src/tools/settle/recordings/recorded-fixture.js';
import { clientOf } from '../support/client.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const SECRET = 'hunter2';
const { service, checks } = readDocuments('');
const SECOND = '2026-04-01T12:00:';

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body: unknown;
  readonly status?: number;
  readonly host?: string;
}

let written = 0;

/** Writes a recording of calls, each a second after the previous one. */
function record(...calls: readonly Call[]): string {
  const entries = calls.map(({ method = 'GET', path, body, status = 200, host }, index) => ({
    startedDateTime: `${SECOND}${String(index + 10)}.000Z`,
    request: {
      method,
      url: `https://${host ?? 'billing.example'}${path}`,
      headers: [{ name: 'Authorization', value: `Bearer ${SECRET}-token` }],
    },
    response: {
      status,
      headers: [{ name: 'Set-Cookie', value: `session=${SECRET}` }],
      content: { text: JSON.stringify(body), size: -1 },
    },
  }));
  written += 1;
  const path = join(fixtureFolder, `recording-${written}.har`);
  writeFileSync(path, JSON.stringify({ log: { version: '1.2', entries } }));
  return path;
}

function read(recordings: readonly string[], { keepNames = true, newIds = false } = {}) {
  return readRecordedFixture({ recordings, basePath: undefined }, service, checks, {
    digest: (text) => sign(text, 'key'),
    keepNames,
    newIds,
  });
}

const page = (...measurements: object[]): Call => ({
  path: '/measurements',
  body: { measurements, total: measurements.length, hasMore: false },
});
const found = (customer: object): Call => ({ path: '/customers/c1', body: { customer } });
const T1 = '2026-01-01T00:00:00.000Z';
const T2 = '2026-02-01T00:00:00.000Z';

describe('a fixture from recordings', () => {
  test('has each record once, in its newest version', () => {
    const first = record(page({ id: 'm1', value: 1, updatedAt: T2 }, { id: 'm2', value: 2 }));
    const second = record(
      page({ id: 'm1', value: 0, updatedAt: T1 }, { id: 'm2', value: 3 }),
      found({ id: 'c1', name: 'Acme' }),
    );
    expect(read([first, second]).fixture).toEqual({
      exact: true,
      customers: [{ id: 'c1', name: 'Acme' }],
      measurements: [
        { id: 'm1', value: 1, updatedAt: T2 },
        { id: 'm2', value: 3 },
      ],
    });
  });

  test('has the newest of versions that were updated in one millisecond', () => {
    const [sooner, later] = ['2026-01-01T00:00:00.0001Z', '2026-01-01T00:00:00.0002Z'];
    const { fixture } = read([
      record(
        page({ id: 'm', value: 1, updatedAt: later }),
        page({ id: 'm', value: 0, updatedAt: sooner }),
      ),
    ]);
    expect(fixture.measurements).toEqual([{ id: 'm', value: 1, updatedAt: later }]);
  });

  test('has what was deleted meanwhile as it was before, but not what was deleted earlier', () => {
    const now = `${SECOND}10.500Z`;
    const { fixture } = read([
      record(
        {
          method: 'DELETE',
          path: '/contracts/k1',
          body: { contract: { id: 'k1', createdAt: T1, updatedAt: now, deletedAt: now } },
        },
        {
          method: 'POST',
          path: '/events/delete-by-refs',
          body: {
            events: [
              { id: 'e1', ref: 'r', updatedAt: T1, deletedAt: now },
              { id: 'e2', ref: 'r', deletedAt: T1 },
            ],
          },
        },
      ),
    ]);
    expect(fixture).toEqual({
      exact: true,
      contracts: [{ id: 'k1', createdAt: T1 }],
      events: [
        { id: 'e1', ref: 'r', updatedAt: T1 },
        { id: 'e2', ref: 'r', deletedAt: T1 },
      ],
    });
  });

  test('keeps unlisted members and null, and leaves out values of other types', async () => {
    const { fixture, leftOut } = read([
      record(
        found({ id: 7, name: null, aliases: ['a', 5], tier: { level: 3 }, source: true }),
        page({ id: 'm', customerId: 7, usageDate: null, value: null }),
      ),
    ]);
    expect(leftOut).toEqual([
      expect.stringMatching(/^customers\.(source|aliases)/),
      expect.stringMatching(/^customers\.(source|aliases)/),
      "measurements.usageDate of 'm'",
    ]);
    expect(fixture).toEqual({
      exact: true,
      undocumented: 'keep',
      customers: [{ id: '7', name: null, aliases: ['a'], tier: { level: 3 } }],
      measurements: [{ id: 'm', customerId: '7', value: null }],
    });
    const server = await createMockServer({ dataset: writeFixture(stringify(fixture)) });
    const { body } = await clientOf(server).get('/customers/7');
    expect(body.customer).toMatchObject({ name: null, tier: { level: 3 } });
  });

  test.each([false, true])('has no secret in it, with new ids: %s', async (newIds) => {
    const s = SECRET;
    const secretCustomer = {
      id: 'c1',
      name: `Acme ${s}`,
      aliases: [s, `${s}@example.com`],
      address: { country: s, city: s, addressText: s, state: s, postalCode: s },
      contacts: [{ name: s, email: `${s}@acme.example`, title: s, phone: `+1 ${s}` }],
      source: s,
      externalId: s,
      customerErpId: s,
      homepage: `https://acme.example/?token=${s}`,
      [s]: 1,
      tier: { level: s, [s]: true, note: null },
      [`${s} is a name`]: { [`${s}@acme.example`]: [s, 4111111111111111, true] },
    };
    const scheduling = { duration: { unit: s } };
    const product = { displayName: s, description: s, scheduling, pricing: { type: s } };
    const contract = { id: 'k1', customerId: 'c1', name: s, crmOpportunityId: s, startDate: s };
    const nothing = { pricing: { type: null } };
    const products = [{ ...product, productErpId: s, nsClass: s, nsClassId: s }, nothing];
    const event = { id: 'e1', name: s, customerAlias: s, ref: s, data: { [s]: s, card: s } };
    const recording = record(
      found(secretCustomer),
      {
        method: 'DELETE',
        path: `/contracts/k1?${s}`,
        body: { contract: { ...contract, accountManager: s, products } },
      },
      { method: 'POST', path: '/events/delete-by-refs', body: { events: [event] } },
    );
    const { fixture } = read([recording], { keepNames: false, newIds });
    const text = stringify(fixture);
    const leak = /hunter2|4111111|acme|billing\.example/i;
    expect(text).not.toMatch(leak);
    expect(text).toContain('tier:');
    expect(text).toContain('type: null');
    const server = await createMockServer({ dataset: writeFixture(text) });
    const account = server.account('t');
    const [customer] = account.customers.list();
    expect(customer?.aliases).toContain(account.events.list()[0]?.customerAlias);
    expect(account.contracts.list()[0]?.customerId).toBe(customer?.id);
    expect(customer?.id === 'c1').toBe(!newIds);
    // Even an account with all this in plain text does not reveal it.
    const plain = writeFixture(stringify(read([recording]).fixture));
    const open = (await createMockServer({ dataset: plain })).account('t');
    expect(JSON.stringify(open.exportState())).toMatch(leak);
    expect(JSON.stringify(open.fixture({ whole: true, newIds }))).not.toMatch(leak);
  });

  test('of a mock is what the mock had', async () => {
    const { fixture } = read(['test/settle/recordings/playwright-embed.har']);
    const server = await createMockServer({ dataset: writeFixture(stringify(fixture)) });
    const original = (await createMockServer()).account('t');
    const account = server.account('t');
    expect(account.customers.list()).toEqual([original.customers.get('65a000000000000000000001')]);
    expect(account.contracts.list()).toEqual([original.contracts.get('65b000000000000000000001')]);
    expect(account.events.list()).toHaveLength(1);
  });

  test.each<[string, () => string[], RegExp]>([
    [
      'two hosts',
      () => [record(page(), { ...page(), host: 'other.example' })],
      /has calls to 2 hosts/,
    ],
    [
      'two services',
      () => [record(page({ id: 'a' })), record({ ...page(), host: 'other.example' })],
      /are of billing\.example and other\.example/,
    ],
    [
      'another service',
      () => [record({ path: '/pets', body: [] })],
      /contains no answered call to an operation/,
    ],
    ['no record', () => [record(page())], /contain no customers, .* or events; expected/],
    [
      'half a file',
      () => {
        const path = record(page());
        writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100));
        return [path];
      },
      /ends after 100 characters/,
    ],
  ])('is refused in a sentence: %s', (_what, recordings, sentence) => {
    const refused = () => read(recordings());
    expect(refused).toThrow(OptionError);
    expect(refused).toThrow(sentence);
  });
});
