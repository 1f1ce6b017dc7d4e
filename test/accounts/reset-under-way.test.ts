import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fetchAs, until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

const server = await createMockServer();
const url = await server.start();
afterAll(() => server.stop());

const CONTRACT = '65b000000000000000000001';

/** A deletion that is held before it acts, in a new account. */
async function deleteLater() {
  const control = controlOf(server);
  const { token } = control;
  const account = server.account(token);
  account.snapshot('before');
  const { id } = account.faults.add({ kind: 'hold' });
  const response = fetchAs(server, token, `/contracts/${CONTRACT}`, { method: 'DELETE' });
  await until(() => account.faults.list()[0]?.fired === 1);
  return {
    control,
    account,
    token,
    response,
    /** Lets the deletion go, unless what happened to the account has. */
    release: () =>
      account.faults.list().some((fault) => fault.id === id) && account.faults.remove(id),
    fingerprint: server.account('untouched').fingerprint(),
  };
}

type Later = Awaited<ReturnType<typeof deleteLater>>;

const RESETS: readonly [string, (later: Later) => unknown][] = [
  ['reset by the library', ({ account }) => account.reset()],
  ['reset over HTTP', ({ control }) => control.post('/reset')],
  ['reset with all others', () => server.resetAll()],
  ['restored', ({ account }) => account.restore('before')],
  ['restored over HTTP', ({ control }) => control.post('/snapshots/before/restore')],
  ['closed', ({ token }) => server.closeAccount(token)],
  ['closed over HTTP', ({ control }) => control.delete('/account')],
];

describe('a request that waits while its account is', () => {
  test.each(RESETS)('%s is refused, and changes nothing', async (_how, reset) => {
    const later = await deleteLater();
    await reset(later);
    later.release();
    const { status, text } = await later.response;
    expect(status).toBe(409);
    expect(JSON.parse(text)).toMatchObject({
      type: 'urn:usage-billing-mock:problem:conflict',
      detail: expect.stringContaining(
        'was reset, restored, rewound, closed or given a scenario while this request was',
      ),
    });
    expect(server.account(later.token).fingerprint()).toBe(later.fingerprint);
  });

  test('reset is in the way of no further request', async () => {
    const { account, token, response, release } = await deleteLater();
    account.reset();
    release();
    const next = await fetchAs(server, token, `/contracts/${CONTRACT}`, { method: 'DELETE' });
    expect([next.status, (await response).status]).toEqual([200, 409]);
    expect(account.journal.count()).toBe(1);
  });

  test('given records runs upon them', async () => {
    const { account, response, release } = await deleteLater();
    account.importState({ contracts: [{ id: CONTRACT }] });
    release();
    expect((await response).status).toBe(200);
    expect(account.contracts.get(CONTRACT)?.deletedAt).toBeDefined();
  });
});

test('an upload that ends after a reset of its account is refused, and changes nothing', async () => {
  const { token } = controlOf(server);
  const account = server.account(token);
  const before = account.fingerprint();
  const fields = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const body = '{"refs":["acme-2026-03-31-001"]}';
  const { socket, received } = openSocket(
    url,
    `POST /events/delete-by-refs HTTP/1.1\r\n${fields}Content-Length: ${body.length}\r\n\r\n{`,
  );
  await until(() => account.journal.count() === 1);
  account.reset();
  socket.write(body.slice(1));
  await until(() => received().includes('HTTP/1.1 409'));
  socket.destroy();
  expect(account.fingerprint()).toBe(before);
});
