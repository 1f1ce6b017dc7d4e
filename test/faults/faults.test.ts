import {
  createMockServer,
  type Fault,
  type FaultRequest,
  type JournalRequest,
} from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { DISTORTING, FAULTS } from '../support/faults.js';
import { type Fetched, fetchAs, until } from '../support/fetching.js';

const server = await createMockServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const CONTRACT = '65b000000000000000000001';
const DELETE = { method: 'DELETE' };

/** A new account, and functions to call the service as it. */
function openAccount() {
  const client = clientOf(server);
  const account = server.account(client.token);
  const call = (path: string, init?: RequestInit) => fetchAs(server, client.token, path, init);
  return {
    client,
    account,
    call,
    faults: account.faults,
    journal: account.journal,
    getMeasurements: () => call('/measurements?limit=1'),
    getCustomer: () => call('/customers/65a000000000000000000001'),
    deleteContract: (id = CONTRACT) => call(`/contracts/${id}`, DELETE),
    isDeleted: (id = CONTRACT) => account.contracts.get(id)?.deletedAt !== undefined,
    /** Calls the control plane with a JSON body. */
    control: (method: string, path: string, body?: unknown) =>
      call(`/__control${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
  };
}

/** The statuses of this many sequential calls. */
async function statusesOf(times: number, call: () => Promise<Fetched>) {
  const statuses = [];
  for (let count = 0; count < times; count += 1) statuses.push((await call()).status);
  return statuses;
}

describe('a fault of the kind', () => {
  test('status answers with a problem of that status that names the fault', async () => {
    const { faults, deleteContract } = openAccount();
    faults.add({ kind: 'status', status: 418 });
    const { status, text, headers } = await deleteContract();
    expect(status).toBe(418);
    expect(JSON.parse(text)).toEqual({
      type: 'urn:usage-billing-mock:problem:injected-fault',
      title: 'Injected fault',
      status: 418,
      detail: 'Fault 1 of this account injected this 418.',
    });
    expect(headers.has('retry-after')).toBe(false);
    faults.add({ kind: 'status', status: 429, retryAfterS: 0 });
    expect((await deleteContract()).headers.get('retry-after')).toBe('0');
  });

  test.each(['reset', 'empty'] as const)(
    '%s is what it is even while a large body is on its way',
    async (kind) => {
      const { faults, call } = openAccount();
      faults.add({ kind });
      const { failure } = await call('/events/delete-by-refs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refs: ['x'.repeat(1_000_000)] }),
      });
      const code = kind === 'reset' ? /ECONNRESET|EPIPE/ : /UND_ERR_SOCKET/;
      expect(failure).toMatch(code);
    },
  );

  test('slow sends the whole real response piece by piece', async () => {
    const { faults, deleteContract } = openAccount();
    faults.add({ kind: 'slow', delayMs: 1_500 });
    const { text, pieces, headers } = await deleteContract();
    expect(pieces).toBeGreaterThan(2);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text).contract).toMatchObject({ id: CONTRACT });
  });

  test('respond sends what it was given, once, and the operation does not run', async () => {
    const { faults, deleteContract } = openAccount();
    faults.add({ kind: 'respond', status: 202, headers: { 'X-Own': '1' }, body: [null] });
    const { status, text, headers } = await deleteContract();
    expect([status, text, headers.get('x-own')]).toEqual([202, '[null]', '1']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await deleteContract()).status).toBe(200);
  });

  test('respond sends text where its Content-Type is not JSON, without an origin', async () => {
    const { faults, getMeasurements } = openAccount();
    faults.add({ kind: 'respond', headers: { 'content-type': 'text/html' }, body: '<b>Hi</b>' });
    const { text, headers } = await getMeasurements();
    expect([text, headers.get('content-type')]).toEqual(['<b>Hi</b>', 'text/html']);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test.each([
    [undefined, { isAllowed: true }],
    [{}, { isAllowed: false, detail: 'The response has a body; expected none.' }],
  ])(
    'respond with %j is held against a document whose errors are empty',
    async (body, arranged) => {
      const { account, faults, journal, getMeasurements } = openAccount();
      account.decisions.change({ 'error-body': 'empty' });
      faults.add({ kind: 'respond', status: 400, ...(body && { body }) });
      await getMeasurements();
      expect(journal.list()).toMatchObject([{ arranged }]);
    },
  );

  test.each<[Partial<FaultRequest>, JournalRequest['arranged']]>([
    [
      { body: { measurements: [{ id: null }], total: 1, hasMore: false } },
      { isAllowed: false, detail: "'body/measurements/0/id': expected a string." },
    ],
    [{ body: { measurements: [], total: 0, hasMore: false } }, { isAllowed: true }],
    [{}, { isAllowed: false, detail: 'The response has no body; expected a body.' }],
    [
      { status: 418, body: {} },
      {
        isAllowed: false,
        detail: expect.stringMatching(
          /^The document has no 418 for listMeasurements; expected 200,/,
        ),
      },
    ],
    [
      { headers: { 'Content-Type': 'text/plain' }, body: 'Hi' },
      { isAllowed: false, detail: "The Content-Type is 'text/plain'; expected application/json." },
    ],
  ])('respond with %j is held against the document in the journal', async (given, arranged) => {
    const { faults, journal, getMeasurements } = openAccount();
    faults.add({ kind: 'respond', ...given } as FaultRequest);
    await getMeasurements();
    const [request] = journal.list();
    expect(request).toMatchObject({ fault: 1, arranged });
    expect(journal.explain(request?.id ?? 0).join(' ')).toContain(
      arranged?.isAllowed
        ? 'the document allows this response'
        : 'the document does not allow this response',
    );
  });

  test('respond keeps what was given when the caller changes it afterwards', async () => {
    const { faults, getMeasurements } = openAccount();
    const body = { total: 1 };
    faults.add({ kind: 'respond', body });
    body.total = 2;
    expect((await getMeasurements()).text).toBe('{"total":1}');
  });

  test.each(DISTORTING)('%j distorts a response, so it cannot be before the operation', (fault) => {
    const { faults } = openAccount();
    for (const phase of [{}, { phase: 'after' }] as const) {
      expect(faults.add({ ...fault, ...phase })).toMatchObject({ phase: 'after' });
    }
    expect(() => faults.add({ ...fault, phase: 'before' } as object as FaultRequest)).toThrow(
      `'phase' is "before"; expected 'after' with the kind '${fault.kind}'.`,
    );
    expect(faults.list()).toHaveLength(2);
  });

  test.each(DISTORTING)('%j befalls no request that is refused', async (fault) => {
    const { faults, call, deleteContract } = openAccount();
    faults.add(fault);
    expect((await deleteContract('nobody')).status).toBe(404);
    expect((await call('/measurements?limit=0')).status).toBe(400);
    expect(faults.list()).toMatchObject([{ seen: 0, fired: 0 }]);
  });

  test.each([
    [{ kind: 'status', status: 503 }, 503],
    [{ kind: 'delay', delayMs: 30 }, 200],
    [{ kind: 'malformed-json' }, 200],
    [{ kind: 'slow', delayMs: 30 }, 200],
    [{ kind: 'reset' }, undefined],
    [{ kind: 'empty' }, undefined],
  ] as const)('%j befalls HEAD as it does GET, without the body', async (fault, status) => {
    const { faults, call } = openAccount();
    faults.add({ ...fault, operationId: 'getCustomer' });
    const head = await call('/customers/65a000000000000000000001', { method: 'HEAD' });
    expect(head.status).toBe(status);
    expect(head.text).toBe('');
    expect(head.headers.has('content-length')).toBe(status !== undefined);
    expect(head.durationMs).toBeGreaterThanOrEqual('delayMs' in fault ? fault.delayMs - 5 : 0);
    expect(faults.list()).toMatchObject([{ fired: 1 }]);
  });

  const answering = FAULTS.filter(({ kind }) => !['hold', 'reset', 'empty'].includes(kind));

  test.each(answering)('%j may be read by a page on another origin', async (fault) => {
    const { faults, call } = openAccount();
    faults.add(fault);
    const { headers } = await call('/measurements', {
      headers: { Origin: 'https://app.example' },
    });
    expect(faults.list()).toMatchObject([{ fired: 1 }]);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  });
});

describe('a fault', () => {
  test.each([
    [{}, [503, 200, 200, 200, 200]],
    [{ times: 3 }, [503, 503, 503, 200, 200]],
    [{ skip: 2 }, [200, 200, 503, 200, 200]],
    [{ skip: 1, times: 2 }, [200, 503, 503, 200, 200]],
    [{ skip: 1, times: 9, phase: 'after' }, [200, 503, 503, 503, 503]],
    [{ times: 'always' }, [503, 503, 503, 503, 503]],
    [{ skip: 2, times: 'always' }, [200, 200, 503, 503, 503]],
  ] as const)('with %j is met by five requests as %j', async (counts, statuses) => {
    const { faults, getMeasurements } = openAccount();
    faults.add({ kind: 'status', status: 503, ...counts });
    expect(await statusesOf(5, getMeasurements)).toEqual(statuses);
    const fired = statuses.filter((status) => status === 503).length;
    expect(faults.list()).toMatchObject([{ fired }]);
  });

  test.each([
    ['in the order in which they were added', [{}, {}], [429, 503, 200]],
    ['the next while one lets requests pass', [{ skip: 1 }, {}], [503, 429, 200]],
    ['the first as long as it lasts', [{ times: 2 }, {}], [429, 429, 503]],
    [
      'that befall the same operation only',
      [{ operationId: 'deleteContract' }, {}],
      [503, 200, 200],
    ],
  ] as const)(
    'fires once for a request: of several, %s',
    async (_words, [first, second], statuses) => {
      const { faults, getMeasurements } = openAccount();
      faults.add({ kind: 'status', status: 429, ...first });
      faults.add({ kind: 'status', status: 503, ...second });
      expect(await statusesOf(3, getMeasurements)).toEqual(statuses);
    },
  );

  test('of the phase before does not keep one of the phase after from firing', async () => {
    const { faults, deleteContract, isDeleted } = openAccount();
    faults.add({ kind: 'status', status: 503, phase: 'after' });
    faults.add({ kind: 'delay', delayMs: 30 });
    const { status, durationMs } = await deleteContract();
    expect(status).toBe(503);
    expect(durationMs).toBeGreaterThanOrEqual(25);
    expect(isDeleted()).toBe(true);
    expect(faults.list()).toMatchObject([{ fired: 1 }, { fired: 1 }]);
  });

  test('befalls only the operation that it names', async () => {
    const { faults, getCustomer, getMeasurements, deleteContract } = openAccount();
    faults.add({ kind: 'status', status: 503, operationId: 'getCustomer' });
    expect((await getMeasurements()).status).toBe(200);
    expect((await deleteContract()).status).toBe(200);
    expect(faults.list()).toMatchObject([{ seen: 0, fired: 0 }]);
    expect((await getCustomer()).status).toBe(503);
  });

  test('that names no operation befalls every one', async () => {
    const { faults, client, call, getCustomer, getMeasurements, deleteContract } = openAccount();
    faults.add({ kind: 'status', status: 503, times: 5 });
    const responses = [
      await getMeasurements(),
      await getCustomer(),
      await call('/customers/name/Acme%20Corporation'),
      await deleteContract(),
      await client.deleteEvents(['x']),
    ];
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  });

  test('of the phase after is not used up by a request that is refused', async () => {
    const { faults, client, call, deleteContract, isDeleted } = openAccount();
    faults.add({ kind: 'reset', phase: 'after' });
    expect((await deleteContract('nobody')).status).toBe(404);
    expect((await call('/measurements?limit=0')).status).toBe(400);
    expect((await client.postRefs({ refs: 'x' })).status).toBe(400);
    expect((await call('/measurements?cursor=nonsense')).status).toBe(400);
    expect(faults.list()).toMatchObject([{ seen: 0, fired: 0 }]);
    expect((await deleteContract()).failure).toBe('fetch failed: ECONNRESET');
    expect(isDeleted()).toBe(true);
  });

  test.each([
    [401, 'www-authenticate', 'Bearer realm="usage-billing-mock"'],
    [405, 'allow', 'GET, HEAD, OPTIONS'],
    [407, 'proxy-authenticate', 'Basic realm="usage-billing-mock"'],
    [426, 'upgrade', 'HTTP/2.0'],
    [426, 'connection', 'Upgrade, close'],
  ])('of the status %d has the header field that HTTP demands: %s', async (status, name, value) => {
    const { client, faults } = openAccount();
    const fieldOf = async () => (await client.get('/measurements')).headers[name];
    faults.add({ kind: 'status', status });
    faults.add({ kind: 'respond', status });
    expect([await fieldOf(), await fieldOf()]).toEqual([value, value]);
  });

  test('that responds with a status keeps the header field of its own', async () => {
    const { client, faults } = openAccount();
    faults.add({ kind: 'respond', status: 401, headers: { 'www-authenticate': 'Basic' } });
    expect((await client.get('/measurements')).headers['www-authenticate']).toBe('Basic');
  });

  test('of the phase before is met even by a request that would be refused', async () => {
    const { faults, call } = openAccount();
    faults.add({ kind: 'status', status: 503 });
    expect((await call('/measurements?limit=0')).status).toBe(503);
    expect((await call('/measurements?limit=0')).status).toBe(400);
  });

  test('is not used up by what calls no operation of the account', async () => {
    const { faults, call, getMeasurements, control } = openAccount();
    faults.add({ kind: 'status', status: 503 });
    const refused = [
      await call('/measurements', { headers: { Authorization: 'none' } }),
      await fetchAs(server, 'token-refused', '/measurements'),
      await call('/invoices'),
      await call('/measurements', { method: 'PUT' }),
      await call('/measurements', { method: 'OPTIONS' }),
      await control('GET', '/account'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 404, 405, 204, 200]);
    expect(faults.list()).toMatchObject([{ seen: 0, fired: 0 }]);
    expect((await getMeasurements()).status).toBe(503);
  });

  test('is met by its own account alone', async () => {
    const [mine, other] = [openAccount(), openAccount()];
    mine.faults.add({ kind: 'status', status: 503, times: 9 });
    expect((await other.getMeasurements()).status).toBe(200);
    expect(other.faults.list()).toEqual([]);
    expect((await mine.getMeasurements()).status).toBe(503);
  });

  test('is named by the journal, and by the explanation of the response', async () => {
    const { faults, control, getMeasurements, account } = openAccount();
    faults.add({ kind: 'status', status: 503, skip: 2 });
    faults.add({ kind: 'reset', phase: 'after' });
    await getMeasurements();
    await getMeasurements();
    await getMeasurements();
    await until(() => account.journal.list()[0]?.outcome !== undefined);
    expect(
      account.journal.list().map(({ fault, outcome, status }) => [fault, outcome, status]),
    ).toEqual([
      [2, 'aborted', undefined],
      [undefined, 'answered', 200],
      [1, 'answered', 503],
    ]);
    const { explanation } = JSON.parse((await control('GET', '/requests/1/explain')).text);
    expect(explanation).toContain('Fault 2 fired on this request.');
    expect(explanation).toContain('The connection closed before the whole response was sent.');
  });
});

describe('a client that hangs up', () => {
  test.each([
    ['before', false],
    ['after', true],
  ] as const)('during a delay %s the operation leaves it changed: %s', async (phase, isChanged) => {
    const { faults, account, client, isDeleted, getMeasurements } = openAccount();
    faults.add({ kind: 'delay', delayMs: 3_600_000, phase, operationId: 'deleteContract' });
    const controller = new AbortController();
    const call = fetchAs(server, client.token, `/contracts/${CONTRACT}`, {
      ...DELETE,
      signal: controller.signal,
    });
    await until(() => faults.list()[0]?.fired === 1);
    controller.abort();
    expect((await call).failure).toBeDefined();
    await until(() => account.journal.list()[0]?.outcome === 'aborted');
    // A request that still waited would go on.
    faults.clear();
    await getMeasurements();
    expect(isDeleted()).toBe(isChanged);
    expect(account.journal.list()[0]).toMatchObject({ outcome: 'aborted', fault: 1 });
  });
});

test('a request whose response was lost is explained by what it deleted', async () => {
  const { faults, journal, deleteContract } = openAccount();
  faults.add({ kind: 'reset', phase: 'after' });
  await deleteContract();
  await until(() => journal.list()[0]?.outcome !== undefined);
  expect(journal.explain(1)).toContain('Before that, it deleted 1 record.');
});

describe('a hold', () => {
  test.each(['before', 'after'] as const)(
    'in phase %s keeps the response back until it is removed',
    async (phase) => {
      const { faults, deleteContract, isDeleted, journal } = openAccount();
      const { id } = faults.add({ kind: 'hold', phase });
      let status: number | undefined;
      const response = deleteContract().then((ended) => {
        status = ended.status;
      });
      await until(() => faults.list()[0]?.fired === 1);
      expect([isDeleted(), status]).toEqual([phase === 'after', undefined]);
      faults.remove(id);
      await response;
      expect([isDeleted(), status]).toEqual([true, 200]);
      expect(journal.list()).toMatchObject([{ status: 200, fault: id }]);
    },
  );

  test.each([
    ['application/json', '{"refs":["globex-march"]}', 200],
    ['application/json', '{"refs":', 400],
    ['application/json', '', 400],
    ['text/plain', 'refs', 415],
  ])('shows the body of a request as %s %j before it is judged', async (type, body, status) => {
    const { faults, call, journal } = openAccount();
    const { id } = faults.add({ kind: 'hold' });
    const response = call('/events/delete-by-refs', {
      ...{ method: 'POST', body },
      headers: { 'Content-Type': type },
    });
    await until(() => journal.list()[0]?.body !== undefined || body === '');
    await until(() => faults.list()[0]?.fired === 1);
    const [held] = journal.list();
    expect(held?.status).toBeUndefined();
    faults.remove(id);
    expect((await response).status).toBe(status);
    expect(journal.list()[0]?.body).toEqual(held?.body);
  });

  test('lets responses arrive out of order', async () => {
    const { faults, getCustomer, getMeasurements } = openAccount();
    const order: string[] = [];
    const { id } = faults.add({ kind: 'hold', operationId: 'getCustomer' });
    const first = getCustomer().then(() => order.push('first'));
    await until(() => faults.list()[0]?.fired === 1);
    await getMeasurements().then(() => order.push('second'));
    faults.remove(id);
    await first;
    expect(order).toEqual(['second', 'first']);
  });

  type Account = ReturnType<typeof openAccount>['account'];

  test.each<[string, number, (account: Account, token: string) => unknown]>([
    ['clear', 200, (account) => account.faults.clear()],
    ['a reset', 409, (account) => account.reset()],
    ['closing the account', 409, (_account, token) => server.closeAccount(token)],
  ])('ends with %s, and so does a running delay', async (_words, status, end) => {
    for (const fault of [{ kind: 'hold' }, { kind: 'delay', delayMs: 3_600_000 }] as const) {
      const { account, client, faults, getCustomer } = openAccount();
      faults.add(fault);
      const response = getCustomer();
      await until(() => faults.list()[0]?.fired === 1);
      end(account, client.token);
      expect((await response).status).toBe(status);
    }
  });
});

test('stopping the server waits for no fault that holds a response back', async () => {
  const own = await createMockServer();
  const url = await own.start();
  const hour = { delayMs: 3_600_000, operationId: 'deleteContract' } as const;
  const faults: FaultRequest[] = [
    { ...hour, kind: 'delay' },
    { ...hour, kind: 'delay', phase: 'after' },
    { ...hour, kind: 'slow' },
  ];
  const calls = faults.map((fault, at) => {
    own.account(`t${at}`).faults.add(fault);
    return fetchAs({ url }, `t${at}`, `/contracts/${CONTRACT}`, DELETE);
  });
  own.account('begun').faults.add({ kind: 'slow', delayMs: 5_000 });
  const begun = await fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer begun' } });
  const body = begun.text().catch(({ message }) => `failed: ${message}`);
  const accounts = faults.map((_fault, at) => own.account(`t${at}`));
  await until(() => accounts.every((account) => account.faults.list()[0]?.fired === 1));

  const startedAt = performance.now();
  await own.stop();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  const failures = (await Promise.all(calls)).map(({ failure }) => failure);
  expect(failures).toEqual([
    expect.stringMatching(/^fetch failed/),
    expect.stringMatching(/^fetch failed/),
    expect.stringMatching(/^terminated/),
  ]);
  expect(begun.status).toBe(200);
  expect(await body).toBe('failed: terminated');
  const deleted = accounts.map(({ contracts }) => contracts.get(CONTRACT)?.deletedAt !== undefined);
  expect(deleted).toEqual([false, true, true]);
});

describe('the faults of an account', () => {
  test('are added over HTTP with every default in its place', async () => {
    const { control, deleteContract, faults } = openAccount();
    const added = await control('POST', '/faults', { kind: 'status', status: 503 });
    expect(added.status).toBe(201);
    const { explanation, ...fault } = JSON.parse(added.text);
    expect(fault).toEqual({
      id: 1,
      kind: 'status',
      status: 503,
      phase: 'before',
      skip: 0,
      times: 1,
      seen: 0,
      fired: 0,
    });
    expect(faults.list()).toEqual([{ ...fault, explanation }]);
    expect((await deleteContract()).status).toBe(503);
  });

  test.each([
    [
      { kind: 'status', status: 503 },
      'Answers 503 before any operation runs; it has fired 1 of 1 times.',
    ],
    [
      { kind: 'delay', delayMs: 5, operationId: 'listMeasurements', skip: 1, times: 4 },
      'Waits 5 ms before listMeasurements runs, after skipping 1 request; it has fired 2 of 4 times.',
    ],
    [
      { kind: 'reset', phase: 'after', times: 2 },
      'Resets the connection after any operation has committed; it has fired 2 of 2 times.',
    ],
    [
      { kind: 'empty' },
      /^Closes the connection without a response before .* fired 1 of 1 times\.$/,
    ],
    [
      { kind: 'malformed-json' },
      'Answers with incomplete JSON after any operation has committed; it has fired 1 of 1 times.',
    ],
    [
      { kind: 'truncated' },
      /^Closes the connection halfway through the body after .* 1 of 1 times\.$/,
    ],
    [
      { kind: 'respond', status: 202 },
      'Answers 202 with the given response before any operation runs; it has fired 1 of 1 times.',
    ],
    [{ kind: 'slow', delayMs: 20 }, /^Sends the body over 20 ms after .* 1 of 1 times\.$/],
  ] as const)('%j is listed after three requests with a sentence', async (fault, sentence) => {
    const { faults, control, getMeasurements } = openAccount();
    faults.add(fault);
    for (let count = 0; count < 3; count += 1) await getMeasurements();
    const { faults: listed } = JSON.parse((await control('GET', '/faults')).text);
    expect(listed).toEqual(faults.list());
    expect(listed[0].explanation).toMatch(sentence);
    expect(listed[0]).toMatchObject(fault);
  });

  test.each([
    [
      { times: 'always' },
      3,
      'Answers 503 before any operation runs; it has fired 3 times, and stays active.',
    ],
    [
      { times: 'always', skip: 2 },
      1,
      'Answers 503 before any operation runs, after skipping 2 requests; it has fired 1 time, and stays active.',
    ],
  ] as const)('with %j stay until they are removed', async (counts, fired, explanation) => {
    const { faults, control, getMeasurements } = openAccount();
    const fault = { kind: 'status', status: 503, ...counts } as const;
    const added = await control('POST', '/faults', fault);
    expect([added.status, JSON.parse(added.text).times]).toEqual([201, 'always']);
    for (let count = 0; count < 3; count += 1) await getMeasurements();
    expect(faults.list()).toMatchObject([{ seen: 3, fired, times: 'always', explanation }]);
    expect(JSON.parse((await control('GET', '/faults')).text).faults).toEqual(faults.list());
    faults.remove(1);
    expect((await getMeasurements()).status).toBe(200);
    expect(faults.add(fault)).toMatchObject({ fired: 0, times: 'always' });
  });

  test('no longer fire once they are removed', async () => {
    const { faults, getMeasurements } = openAccount();
    const [first, second] = [503, 429].map((status) => faults.add({ kind: 'status', status }));
    expect(faults.remove(first?.id ?? 0)).toEqual(first);
    expect((await getMeasurements()).status).toBe(429);
    expect(faults.remove(second?.id ?? 0)).toMatchObject({ fired: 1 });
    expect(faults.remove(second?.id ?? 0)).toBeUndefined();
    for (const kind of ['reset', 'empty'] as const) faults.add({ kind });
    expect(faults.clear()).toBe(2);
    expect((await getMeasurements()).status).toBe(200);
  });

  test('go with a reset of the account', async () => {
    const { faults, account, control, getMeasurements } = openAccount();
    faults.add({ kind: 'status', status: 503, times: 9 });
    account.reset();
    expect(faults.list()).toEqual([]);
    faults.add({ kind: 'status', status: 503, times: 9 });
    await control('POST', '/reset');
    expect(faults.list()).toEqual([]);
    expect((await getMeasurements()).status).toBe(200);
  });

  test('come back with a snapshot, as often as they had fired by then', async () => {
    const { faults, account, getMeasurements } = openAccount();
    faults.add({ kind: 'status', status: 503, times: 2 });
    await getMeasurements();
    const id = account.snapshot();
    expect(await statusesOf(2, getMeasurements)).toEqual([503, 200]);
    faults.clear();
    account.restore(id);
    expect(faults.list()).toMatchObject([{ seen: 1, fired: 1 }]);
    expect(await statusesOf(2, getMeasurements)).toEqual([503, 200]);
  });

  test('are at most 1,000', async () => {
    const { faults, control } = openAccount();
    const added: Fault[] = [];
    for (let count = 0; count < 1_000; count += 1) added.push(faults.add({ kind: 'reset' }));
    const refused = await control('POST', '/faults', { kind: 'reset' });
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toMatchObject({
      type: 'urn:usage-billing-mock:problem:conflict',
      detail: expect.stringContaining('The account has 1,000 faults'),
    });
    expect(() => faults.add({ kind: 'reset' })).toThrow('The account has 1,000 faults');
    expect(faults.list()).toEqual(added);
    faults.remove(1);
    expect((await control('POST', '/faults', { kind: 'reset' })).status).toBe(201);
  });

  const OF_TIMES = "; expected an integer, at least 1, or 'always'.";

  test.each<[words: string, fault: object, paths: string[], advice?: string]>([
    ['no kind', {}, ['']],
    ['the kind status without a status', { kind: 'status' }, ['']],
    ['the kind delay without delayMs', { kind: 'delay' }, ['']],
    ['the kind slow without delayMs', { kind: 'slow' }, ['']],
    ['a status that is none of an error', { kind: 'status', status: 200 }, ['/status']],
    ['a status that there is not', { kind: 'status', status: 600 }, ['/status']],
    ['times 0', { kind: 'reset', times: 0 }, ['/times']],
    ['skip below 0', { kind: 'reset', skip: -1 }, ['/skip']],
    ['a delay of more than an hour', { kind: 'delay', delayMs: 3_600_001 }, ['/delayMs']],
    ['a phase that there is not', { kind: 'reset', phase: 'during' }, ['/phase']],
    ['an unknown operation', { kind: 'reset', operationId: 'getInvoice' }, ['/operationId']],
    [
      'a Retry-After beyond a year',
      { kind: 'status', status: 503, retryAfterS: 1e300 },
      ['/retryAfterS'],
    ],
    [
      'a status and a Retry-After of the kind slow',
      { kind: 'slow', delayMs: 5, status: 503, retryAfterS: 1 },
      ['/status', '/retryAfterS'],
    ],
    ['a body of 204', { kind: 'respond', status: 204, body: {} }, ['/body']],
    [
      'a length of its own',
      { kind: 'respond', headers: { 'Content-Length': '1' } },
      ['/headers/Content-Length'],
    ],
    [
      'an object as text',
      { kind: 'respond', headers: { 'Content-Type': 'text/plain' }, body: {} },
      ['/body'],
    ],
    ['two mistakes', { kind: 'reset', times: 1.5, skip: '2' }, ['/skip', '/times']],
    ['a list', [], ['']],
    ['a name for times', { kind: 'reset', times: 'forever' }, ['/times'], OF_TIMES],
    ['allways', { kind: 'reset', times: 'allways' }, ['/times'], "Did you mean 'always'?"],
    ['delay', { kind: 'delay', delay: 500 }, ['', '/delay'], "Did you mean 'delayMs'?"],
    ['op', { kind: 'reset', op: 'deleteContract' }, ['/op'], "Did you mean 'operationId'?"],
    ['malformed', { kind: 'malformed' }, ['/kind'], "Did you mean 'malformed-json'?"],
    [
      'a delay of a reset',
      { kind: 'reset', delayMs: 1 },
      ['/delayMs'],
      'Remove it, or correct it to one of kind, operationId, phase, skip, times, path.',
    ],
  ])('are not added with %s', async (_words, fault, paths, advice = '') => {
    const { faults, getMeasurements } = openAccount();
    expect(() => faults.add(fault as FaultRequest)).toThrow(
      expect.objectContaining({
        name: 'InvalidInputError',
        message: expect.stringContaining(advice),
        mistakes: paths.map((path) => expect.objectContaining({ path: path.split('/').slice(1) })),
      }),
    );
    expect(faults.list()).toEqual([]);
    expect((await getMeasurements()).status).toBe(200);
  });

  test('that can fire no more are kept up to the latest thousand, and others all', async () => {
    const { client, faults } = openAccount();
    const headers = { Authorization: `Bearer ${client.token}` };
    const waiting = faults.add({ kind: 'status', status: 500, operationId: 'deleteContract' });
    for (let nth = 0; nth < 1_005; nth += 1) {
      faults.add({ kind: 'status', status: 503 });
      expect((await server.fetch('/measurements?limit=1', { headers })).status).toBe(503);
    }
    const latest = faults.add({ kind: 'status', status: 503 });
    const ids = faults.list().map(({ id }) => id);
    expect(ids).toHaveLength(1_002);
    expect([ids[0], ids[1], ids.at(-1)]).toEqual([waiting.id, latest.id - 1_000, latest.id]);
  });

  test('are refused with their kind where they lack or have a member that it decides on', () => {
    const { faults } = openAccount();
    const add = (fault: object) => () => faults.add(fault as FaultRequest);
    expect(add({ kind: 'status' })).toThrow(
      `The value is {"kind":"status"}; expected the member 'status' with the kind 'status'. Add it.`,
    );
    expect(add({ kind: 'reset', status: 503 })).toThrow(
      "Unknown member 'status' with the kind 'reset'. Remove it, or correct it to one of",
    );
  });
});
