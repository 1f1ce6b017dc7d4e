import { STATUS_CODES } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fixture } from '../../src/core/datasets/fixture/fixture.js';
import { createPortableMock } from '../../src/host/server/in-page/browser-mock.js';
import { browserPlatform } from '../../src/host/server/in-page/browser-platform.js';
import type { BrowserMockOptions } from '../../src/host/server/mock-interface.js';
import { createMockServer } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';
import { SHIPPED } from '../support/shipped.js';

const create = (options: BrowserMockOptions = {}) =>
  createPortableMock(SHIPPED, options, browserPlatform(STATUS_CODES));
const AS_T = { headers: { Authorization: 'Bearer t' } };
const AT = { url: 'https://billing.example/v1' };
const CONTRACT = '/contracts/65b000000000000000000001';

const CUSTOMERS = '/__control/customers?text=Mine';

/** The message of the thrown error. */
function textOf(act: () => unknown): string {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return (error as Error).message;
  }
}

const failureOf = (creating: Promise<unknown>) =>
  creating.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('the options of a mock in a page', () => {
  test.each<[options: object, failure: string]>([
    [{ port: 1 }, "OptionError: Unknown option 'port' for a page; expected one of basePath, seed,"],
    [{ seeds: 1 }, "Unknown option 'seeds' for a page. Did you mean 'seed'?"],
    [{ seed: -1 }, "OptionError: The option 'seed' for a page is -1; expected a whole number"],
    [{ dataset: 'edge-case' }, "Did you mean 'edge-cases'?"],
    [{ dataset: [] }, "The option 'dataset' is not an object; expected a fixture."],
    [
      { dataset: { customers: [{ nam: 'a' }], contracts: [{ id: 1 }] } },
      "The option 'dataset': Unknown member 'nam' in 'customers/0'. Did you mean 'name'?",
    ],
    [{ dataset: { scenarios: { a: { faults: [{ kind: 'delay' }] } } } }, "'scenarios/a/faults/0'"],
    [{ scenario: 'outage' }, "'outage'"],
    [{ now: 'today' }, "OptionError: The option 'now' for a page is"],
    [
      { dataset: { extends: 'nothing' } },
      "The option 'dataset': 'extends' is \"nothing\"; expected default,",
    ],
    [
      { accounts: { b: { datasets: 'empty' } } },
      "The option 'accounts': Unknown member 'datasets' in 'b'. Did you mean 'dataset'?",
    ],
    [
      { persist: 'local' },
      "OptionError: The option 'persist' for a page is \"local\"; expected 'session'.",
    ],
    [
      { stubs: [{ method: 'GET' }] },
      "The option 'stubs': '0' is {\"method\":\"GET\"}; expected the member 'path'",
    ],
  ])('%j are refused in a sentence', async (options, failure) => {
    expect(await failureOf(create(options))).toContain(failure);
  });

  test('have the same mistakes of a fixture and a fault in the same words as the library', async () => {
    const [mock, server] = [await create(), await createMockServer()];
    const faultOf = ({ account }: Pick<typeof mock, 'account'>) => {
      try {
        return account('t').faults.add({ kind: 'delay', delayMs: -1, tims: 1 } as never);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(faultOf(mock)).toContain('delayMs');
    expect(faultOf(mock)).toBe(faultOf(server));
  });

  test('name datasets, and may be a fixture that extends one', async () => {
    const fixture = { extends: 'edge-cases', customers: [{ id: 'mine', name: 'Mine' }] };
    const accounts = { other: { dataset: 'empty' } };
    const mock = await create({ dataset: fixture, accounts, basePath: '/v1' });
    expect(await (await mock.fetch('customers/mine', AS_T)).json()).toHaveProperty(
      'customer.name',
      'Mine',
    );
    expect(mock.account('t').customers.list().length).toBeGreaterThan(2);
    expect(mock.account('other').customers.list()).toEqual([]);
  });

  test('name a scenario and a day, over records with undocumented members, as in the library', async () => {
    const dataset = {
      extends: 'demo',
      undocumented: 'keep',
      customers: [
        {
          id: 'mine',
          name: 'Mine',
          region: 'EU',
          customerErpId: null,
          createdAt: '-3dT08:00:00.000Z',
        },
      ],
      scenarios: {
        odd: {
          faults: [
            { kind: 'respond', operationId: 'getCustomer', body: { customer: { id: 1 } } },
            { kind: 'respond', operationId: 'getCustomer', status: 404, body: {} },
          ],
        },
      },
    } as unknown as Fixture;
    const given = { now: '2026-11-22', scenario: 'odd' };
    const file = writeFixture(JSON.stringify(dataset));
    const mocks = [
      await create({ ...given, dataset }),
      await createMockServer({ ...given, dataset: file }),
    ];
    const [own, other] = await Promise.all(
      mocks.map(async ({ fetch, account, openapi }) => {
        const texts: string[] = [];
        for (const path of ['/customers/mine', '/customers/mine', '/customers/mine', CUSTOMERS]) {
          texts.push(await (await fetch(path, AS_T)).text());
        }
        const arranged = account('t')
          .journal.list()
          .map((one) => one.arranged);
        const mistake = () => account('t').customers.put({ id: 'a', nam: null } as never);
        return { texts, arranged, mistake: textOf(mistake), document: openapi('t') };
      }),
    );
    expect(own).toEqual(other);
    expect(own?.texts[2]).toContain('"region":"EU","customerErpId":null');
    expect(own?.arranged.slice(0, 2)).toMatchObject([{ isAllowed: false }, { isAllowed: false }]);
  });

  test('keep state over midnight, though the dataset is dated from the day of the start', async () => {
    const kept = new Map<string, string>();
    const leaving: (() => void)[] = [];
    const tab = {
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
      },
      addEventListener: (_type: string, listener: () => void) => void leaving.push(listener),
    };
    const realNow = Date.now;
    Object.assign(globalThis, tab);
    try {
      const options = { dataset: 'demo', persist: 'session' } as const;
      const before = await create(options);
      before.account('t').customers.put({ id: 'mine', name: 'Mine' });
      for (const leave of leaving) leave();
      Date.now = () => realNow() + 24 * 60 * 60_000;
      const after = await create(options);
      expect(after.account('t').customers.get('mine')).toHaveProperty('name', 'Mine');
      const fingerprint = (await create({ dataset: 'demo' })).dataset.fingerprint;
      expect(fingerprint).not.toBe(before.dataset.fingerprint);
    } finally {
      Date.now = realNow;
      for (const name of Object.keys(tab)) Reflect.deleteProperty(globalThis, name);
    }
  });

  test('generate records by a seed, as the library does', async () => {
    const [mock, server] = [await create({ seed: 7 }), await createMockServer({ seed: 7 })];
    expect(mock.dataset.fingerprint).toBe(server.dataset.fingerprint);
  });
});

test('tokens, hashes and decoded bodies are those of the library', async () => {
  const given = {
    stubs: [{ method: 'POST', path: '/login', body: { token: '{{token body.user}}' } }],
  } as const;
  const [mock, server] = [await create(given), await createMockServer(given)];
  const calls = [
    { path: '/login', body: JSON.stringify({ user: 'Ünal' }), type: 'application/json' },
    { path: '/login', body: 'x'.repeat(3 * 2 ** 20), type: 'text/plain' },
    { path: '/events/delete-by-refs', body: gzipSync('{"refs":["a"]}'), coding: 'gzip' },
    {
      path: '/events/delete-by-refs',
      body: gzipSync('{"refs":["a"]}').subarray(9),
      coding: 'gzip',
    },
  ];
  for (const { path, body, type = 'application/json', coding = 'identity' } of calls) {
    const headers = { ...AS_T.headers, 'Content-Type': type, 'Content-Encoding': coding };
    const init = { method: 'POST', headers, body };
    const [own, other] = await Promise.all(
      [mock, server].map(async ({ fetch }) => {
        const response = await fetch(path, init);
        return [response.status, response.statusText, await response.text()];
      }),
    );
    // Decoders differ in their messages.
    expect(own?.slice(0, 2)).toEqual(other?.slice(0, 2));
    if (own?.[0] === 200) expect(own).toEqual(other);
  }
  const hashes = [mock, server].map(({ account, journal }) =>
    JSON.stringify([account('t').journal.list(), journal.list()]).match(/[0-9a-f]{64}/g),
  );
  expect(hashes[0]).toHaveLength(1);
  expect(hashes[0]).toEqual(hashes[1]);
});

describe('a mock that is installed', () => {
  test('answers fetch below its URL until it is uninstalled, and passes on all else', async () => {
    const passed: string[] = [];
    const before = globalThis.fetch;
    const network: typeof fetch = async (input) => {
      passed.push(String(input));
      return new Response('network');
    };
    globalThis.fetch = network;
    try {
      const mock = await create({ basePath: '/base' });
      const uninstall = mock.install(AT);
      const listed = await fetch(`${AT.url}/measurements?limit=1`, AS_T);
      expect(await listed.json()).toHaveProperty('measurements.length', 1);
      await fetch(new Request(`${AT.url}${CONTRACT}`, { method: 'DELETE', ...AS_T }));
      expect((await fetch(`${AT.url}${CONTRACT}`, { method: 'DELETE', ...AS_T })).status).toBe(404);
      expect((await fetch(`${AT.url}/__control/account`, AS_T)).status).toBe(200);
      const others = ['https://billing.example/v10/x', 'https://other.example/v1/measurements'];
      for (const other of others) expect(await (await fetch(other)).text()).toBe('network');
      uninstall();
      expect(globalThis.fetch).toBe(network);
      expect(passed).toEqual(others);
      expect(mock.account('t').journal.count({ path: '/measurements' })).toBe(1);
      const uninstallUnder = mock.install(AT);
      const inner = globalThis.fetch;
      const around: typeof fetch = (...given) => inner(...given);
      globalThis.fetch = around;
      uninstallUnder();
      expect(globalThis.fetch).toBe(around);
      expect(await (await fetch(`${AT.url}/measurements`)).text()).toBe('network');
    } finally {
      globalThis.fetch = before;
    }
  });
});

describe('a resolver for MSW', () => {
  test('answers below its URL, fails a call by Response.error(), and leaves others to MSW', async () => {
    const mock = await create();
    const resolve = mock.resolver(AT);
    const asked = (url: string) => resolve({ request: new Request(url, AS_T) });
    expect((await asked(`${AT.url}/measurements`))?.status).toBe(200);
    expect(await asked('https://other.example/v1/measurements')).toBeUndefined();
    mock.account('t').faults.add({ kind: 'reset' });
    expect((await asked(`${AT.url}/measurements`))?.type).toBe('error');
  });
});
