import type { Stubs } from '../../src/core/stubs/stubs.js';
import { createMockServer, type StubRequest } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const SESSION: StubRequest = {
  method: 'GET',
  path: '/session/{id}',
  responses: [
    { body: { id: '{{path.id}}' } },
    { status: 401, headers: { 'X-Reason': 'expired' }, body: 'expired' },
    { status: 204 },
  ],
};

async function open(stubs: readonly StubRequest[] = []) {
  const server = await createMockServer({ dataset: 'empty', stubs });
  const { token } = clientOf(server);
  const statusesOf = async (count: number, as?: string) => {
    const headers: Record<string, string> = as ? { Authorization: `Bearer ${as}` } : {};
    const statuses = [];
    for (let call = 0; call < count; call += 1) {
      statuses.push((await server.fetch('/session/a', { headers })).status);
    }
    return statuses;
  };
  return { server, token, account: server.account(token), statusesOf };
}

describe('a stub with several responses', () => {
  test('gives one at each call, and stays with the last', async () => {
    const { server, statusesOf } = await open([SESSION]);
    const first = await server.fetch('/session/b');
    expect([first.status, await first.json()]).toEqual([200, { id: 'b' }]);
    const second = await server.fetch('/session/b');
    expect([second.status, second.headers.get('x-reason')]).toEqual([401, 'expired']);
    expect(await second.json()).toBe('expired');
    expect(await statusesOf(3)).toEqual([204, 204, 204]);
  });

  test('for every caller begins anew for each account, and for the calls without one', async () => {
    const { token, statusesOf } = await open([SESSION]);
    expect(await statusesOf(2, token)).toEqual([200, 401]);
    expect(await statusesOf(1, 'another')).toEqual([200]);
    expect(await statusesOf(2)).toEqual([200, 401]);
    expect(await statusesOf(1, token)).toEqual([204]);
  });

  test('begins anew after a reset, and where it was after a restore', async () => {
    const { account, token, statusesOf } = await open([SESSION]);
    await statusesOf(1, token);
    account.snapshot('once');
    await statusesOf(1, token);
    account.restore('once');
    expect(await statusesOf(1, token)).toEqual([401]);
    account.reset();
    expect(await statusesOf(1, token)).toEqual([200]);
  });

  test.each(['account', 'server'] as const)(
    'is forgotten with its turns once it is removed, as one of the %s',
    async (owner) => {
      const server = await createMockServer({ dataset: 'empty' });
      const { token } = clientOf(server);
      const account = server.account(token);
      const { stubs } = owner === 'server' ? server : account;
      const headers = { Authorization: `Bearer ${token}` };
      const isKept = stubs.add({ ...SESSION, path: '/kept/{id}' });
      await server.fetch('/kept/a', { headers });
      for (let cycle = 0; cycle < 20; cycle += 1) {
        const { id } = stubs.add(SESSION);
        await server.fetch('/session/a', { headers });
        stubs.remove(id);
      }
      expect((await server.fetch('/kept/a', { headers })).status).toBe(401);
      const { turns } = (account.stubs as Stubs).snapshot();
      expect(Object.keys(turns).length).toBeLessThanOrEqual(2);
      expect(turns).toMatchObject({ [`${owner} ${isKept.id}`]: 2 });
    },
  );

  test('is not used up by a call that lacks a value', async () => {
    const login = {
      method: 'POST',
      path: '/login',
      responses: [{ body: '{{body.user}}' }, { status: 401 }],
    } as const;
    const { server } = await open([login]);
    const post = async (body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await server.fetch('/login', init)).status;
    };
    expect(await post({})).toBe(400);
    expect(await post({ user: 'robin' })).toBe(200);
    expect(await post({ user: 'robin' })).toBe(401);
  });

  test('is added over HTTP, and listed as it was given', async () => {
    const { server, token, statusesOf } = await open();
    const { status, body } = await controlOf(server, token).post('/stubs', SESSION);
    expect(status).toBe(201);
    expect(body).toEqual({ ...SESSION, id: 1, for: 'account', needsToken: true });
    expect(await statusesOf(4, token)).toEqual([200, 401, 204, 204]);
  });

  test('is read from a fixture', async () => {
    const stubs =
      'stubs: [{ method: GET, path: /a, responses: [{ body: 1 }, { status: 503 }, { body: 2 }] }]';
    const server = await createMockServer({ dataset: writeFixture(stubs) });
    const bodies = [];
    for (let call = 0; call < 4; call += 1) bodies.push(await (await server.fetch('/a')).text());
    expect(bodies).toEqual(['1', '', '2', '2']);
  });

  test.each([
    [
      { status: 200 },
      "'status' is 200; expected no status beside `responses`. Move it into one of `responses`, or leave `responses` out.",
    ],
    [{ headers: {} }, "'headers' is {}; expected no headers beside `responses`"],
    [{ responses: [] }, "'responses' is []; expected at least 1 item"],
    [{ responses: [{ status: 99 }] }, "'responses/0/status' is 99; expected at least 200"],
    [
      { responses: [{}, { stats: 1 }] },
      "Unknown member 'stats' in 'responses/1'. Did you mean 'status'?",
    ],
    [
      { responses: [{ body: ['{{path.user}}'] }] },
      '\'responses/0/body/0\' is "{{path.user}}"; expected a parameter of the path: id. Name a parameter of the path, or add this one to it.',
    ],
    [
      { responses: [{ headers: { 'a b': '1' } }] },
      '\'responses/0/headers/a b\' is "a b"; expected the name',
    ],
  ])('is refused with %j', async (members, sentence) => {
    const { account } = await open();
    const stub = { ...SESSION, ...members } as StubRequest;
    expect(() => account.stubs.add(stub)).toThrow(sentence);
  });
});
