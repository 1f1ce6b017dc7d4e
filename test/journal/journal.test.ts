import { createHash } from 'node:crypto';
import request from 'supertest';
import { createMockServer, type JournalFilter, UnknownIdError } from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';
import { until } from '../support/fetching.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const THEN = '2030-01-02T03:04:05.000Z';
const CONTRACT = '/contracts/written-contract-1';

/** A client whose account has a frozen clock. */
function frozen(at = server): Control {
  const control = controlOf(at);
  at.account(control.token).clock.freeze(THEN);
  return control;
}

/** The requests after all have ended, which library and control plane must list alike. */
async function requestsOf({ token, get }: Control, at = server) {
  const { journal } = at.account(token);
  await until(() => journal.list().every(({ outcome }) => outcome !== undefined));
  const listed = journal.list();
  expect((await get('/requests')).body).toEqual({ requests: listed, evicted: journal.evicted });
  return listed;
}

/** Calls the operation with a body that need not be JSON. */
function postText({ service }: Control, text: string) {
  return request(server.app)
    .post('/events/delete-by-refs')
    .set('Authorization', `Bearer ${service.token}`)
    .set('Content-Type', 'application/json')
    .send(text);
}

test('a success is explained by its operation alone', async () => {
  const control = frozen();
  await control.service.delete(CONTRACT);
  await control.service.get('/measurements?limit=2');
  const { journal } = server.account(control.token);
  expect([journal.explain(1), journal.explain(2)]).toEqual([
    [
      `DELETE ${CONTRACT} called the operation deleteContract in openapi.yaml.`,
      expect.stringContaining('got a 200'),
    ],
    [
      'GET /measurements?limit=2 called the operation listMeasurements in openapi.yaml.',
      expect.stringContaining('got a 200'),
    ],
  ]);
});

test.each(['truncated', 'malformed-json'] as const)(
  'a response that a fault distorts is not said to match the document: %s',
  async (kind) => {
    const control = frozen();
    const { faults, journal } = server.account(control.token);
    faults.add({ kind });
    await control.service.delete(CONTRACT).catch(() => undefined);
    expect(journal.explain(1)).toContain('The request got a 200.');
  },
);

describe('a request in the journal', () => {
  const calls: readonly [string, (control: Control) => unknown, object][] = [
    [
      'that succeeds has its operation, parameters and status',
      ({ service }) => service.delete(CONTRACT),
      {
        method: 'DELETE',
        path: CONTRACT,
        operationId: 'deleteContract',
        parameters: { contractId: 'written-contract-1' },
        status: 200,
        outcome: 'answered',
        deleted: 1,
      },
    ],
    [
      'with a query has it as it was sent',
      ({ service }) => service.get('/measurements?limit=%32'),
      {
        method: 'GET',
        path: '/measurements',
        query: 'limit=%32',
        operationId: 'listMeasurements',
        parameters: { limit: '2' },
        status: 200,
        outcome: 'answered',
      },
    ],
    [
      'with a body has it as JSON',
      ({ service }) => service.postRefs({ refs: ['shared-ref'], other: [1, null] }),
      {
        method: 'POST',
        path: '/events/delete-by-refs',
        operationId: 'deleteEventsByRefs',
        parameters: {},
        body: { refs: ['shared-ref'], other: [1, null] },
        status: 200,
        outcome: 'answered',
        deleted: 2,
      },
    ],
    [
      'that the document refuses has what is wrong',
      ({ service }) => service.get('/measurements?limit=0'),
      {
        method: 'GET',
        path: '/measurements',
        query: 'limit=0',
        operationId: 'listMeasurements',
        parameters: { limit: '0' },
        status: 400,
        outcome: 'answered',
        problem: 'invalid-request',
        detail: expect.stringContaining('/limit: expected at least 1, received "0"'),
        decision: 'limit-out-of-bounds',
        decisionValue: 'reject',
      },
    ],
    [
      'that a decision refuses has it and the value that it had',
      ({ service, token }) => {
        const { contracts, decisions } = server.account(token);
        contracts.patch('written-contract-1', { deletedAt: THEN });
        decisions.change({ 'repeat-delete': 'gone' });
        return service.delete(CONTRACT);
      },
      {
        method: 'DELETE',
        path: CONTRACT,
        operationId: 'deleteContract',
        parameters: { contractId: 'written-contract-1' },
        status: 410,
        outcome: 'answered',
        problem: 'deleted-before',
        detail: `The contract 'written-contract-1' was already deleted, at ${THEN}; expected one that is not deleted. If this repeats a request whose response was lost, that request succeeded.`,
        decision: 'repeat-delete',
        decisionValue: 'gone',
        // The change of the record took a place.
        place: 2,
      },
    ],
    [
      'that rests on no decision has none',
      (control) => postText(control, 'refs').set('Content-Type', 'text/plain'),
      {
        method: 'POST',
        path: '/events/delete-by-refs',
        operationId: 'deleteEventsByRefs',
        parameters: {},
        status: 415,
        outcome: 'answered',
        problem: 'unsupported-media-type',
        detail: expect.stringContaining("sent as 'text/plain'"),
      },
    ],
    [
      'of the method HEAD has that method',
      ({ service }) => service.head('/customers/written'),
      {
        method: 'HEAD',
        path: '/customers/written',
        operationId: 'getCustomer',
        parameters: { customerId: 'written' },
        status: 200,
        outcome: 'answered',
      },
    ],
    [
      'with a value that is encoded has the path as it was sent',
      ({ service }) => service.get('/customers/a%2Fb'),
      {
        method: 'GET',
        path: '/customers/a%2Fb',
        operationId: 'getCustomer',
        parameters: { customerId: 'a/b' },
        status: 404,
        outcome: 'answered',
        problem: 'unknown-identifier',
        detail: expect.stringContaining("'a/b'"),
        decision: expect.any(String),
        decisionValue: expect.any(String),
      },
    ],
    [
      'whose connection breaks off has no status but the fault',
      async ({ service, token }) => {
        server.account(token).faults.add({ kind: 'reset' });
        await expect(service.delete(CONTRACT)).rejects.toThrow();
      },
      {
        method: 'DELETE',
        path: CONTRACT,
        operationId: 'deleteContract',
        parameters: { contractId: 'written-contract-1' },
        outcome: 'aborted',
        fault: 1,
      },
    ],
    [
      'whose response is lost has how many records it deleted',
      async ({ service, token }) => {
        server.account(token).faults.add({ kind: 'reset', phase: 'after' });
        await expect(service.delete(CONTRACT)).rejects.toThrow();
      },
      {
        method: 'DELETE',
        path: CONTRACT,
        operationId: 'deleteContract',
        parameters: { contractId: 'written-contract-1' },
        outcome: 'aborted',
        deleted: 1,
        fault: 1,
      },
    ],
  ];

  test.each(calls)('%s', async (_what, call, expected) => {
    const control = frozen();
    await call(control);
    const [first, ...others] = await requestsOf(control);
    const { headers, responseBytes, ...noted } = first ?? { headers: {} };
    expect(noted).toEqual({ id: 1, at: THEN, durationMs: 0, place: 1, ...expected });
    expect(headers).toMatchObject({ host: expect.any(String) });
    expect(Number(responseBytes) > 50).toBe(first?.status !== undefined);
    expect(others).toEqual([]);
  });

  test('that is malformed JSON has the text of its body', async () => {
    const control = controlOf(server);
    await postText(control, '{"refs":["a"');
    expect(await requestsOf(control)).toMatchObject([
      { body: '{"refs":["a"', status: 400, problem: 'malformed-json', outcome: 'answered' },
    ]);
  });

  test('has its header fields, but no credentials', async () => {
    const control = controlOf(server);
    await control.service
      .get('/measurements')
      .set('X-Control-Token', 'control-secret')
      .set('Cookie', 'session=cookie-secret')
      .set('Proxy-Authorization', 'Basic proxy-secret')
      .set('X-Request-Id', 'seen');
    const [noted] = await requestsOf(control);
    expect(noted?.headers).toMatchObject({
      authorization: 'Bearer [redacted]',
      'x-control-token': '[redacted]',
      'proxy-authorization': 'Basic [redacted]',
      'x-request-id': 'seen',
    });
    const { text } = await control.get('/requests');
    const explained = await control.get('/requests/1/explain');
    for (const secret of [control.token, 'control-secret', 'cookie-secret', 'proxy-secret']) {
      expect(text).not.toContain(secret);
      expect(explained.text).not.toContain(secret);
    }
  });

  test('has no beginning of a credential where its error cuts a text', async () => {
    const control = controlOf(server);
    for (const length of [188, 190])
      await postText(control, JSON.stringify({ refs: `${'x'.repeat(length)} ${control.token}` }));
    const jwt = `eyJhbGciOiJub25lIn0.eyJ${'a'.repeat(200)}.c2VjcmV0`;
    for (const text of [jwt, `https://robin:${'x'.repeat(200)}@a.example`])
      await postText(control, JSON.stringify({ refs: `${'x'.repeat(99)} ${text}` }));
    const details = (await requestsOf(control)).map(({ detail }) => detail);
    const isRedacted = expect.stringMatching(/x (https:\/\/)?\[redacted\]…/);
    expect(details).toEqual([isRedacted, isRedacted, isRedacted, isRedacted]);
  });

  test('has no beginning of an encoded credential where its error cuts a path', async () => {
    const control = controlOf(server, 'token-with-a-long-name');
    for (const length of [170, 171, 172, 173])
      await control.service.get(`/${'x'.repeat(length)}%20token%2Dwith%2Da%2Dlong%2Dname`);
    const last = server.journal.list().slice(-4);
    const details = last.map(({ detail }) => detail);
    const isRedacted = expect.stringMatching(/no path '\[redacted\]…'/);
    expect(details).toEqual([isRedacted, isRedacted, isRedacted, isRedacted]);
  });

  test('has no token as a whole word, but the words and tokens that contain it', async () => {
    const control = controlOf(server, 'word-1');
    await postText(
      control,
      JSON.stringify({ refs: ['word-1', 'of word-1.', 'word-10', 'a-word-1'] }),
    );
    await control.service.get('/customers/%22word-1%22');
    await control.service.get('/measurements').set('X-Made-Up', '%2522word-1%2522');
    const requests = await requestsOf(control);
    expect(requests[0]?.body).toEqual({
      refs: ['[redacted]', 'of [redacted].', 'word-10', 'a-word-1'],
    });
    expect(requests[1]?.path).toBe('/customers/[redacted]');
    expect(requests[2]?.headers['x-made-up']).toBe('%2522[redacted]%2522');
  });

  test('has no credential of a name in a JSON pointer', async () => {
    const control = controlOf(server, 'a/token~1');
    const url = 'https://robin:secret@a.example';
    const names = { 'a/token~1': 1, 'of/a/token~1': 1, [url]: 1 };
    await control.service.get('/measurements').query(names);
    const [request] = await requestsOf(control);
    expect(request?.detail).toContain('query /[redacted]: unknown parameter');
    expect(request?.detail).toContain('query /of~1[redacted]: unknown parameter');
    expect(request?.detail).toContain('query /https:~1~1[redacted]@a.example: unknown parameter');
  });

  test('names what the document names, whatever its token is', async () => {
    const control = controlOf(server, 'contract');
    await control.service.delete('/contracts/contract');
    const [request] = await requestsOf(control);
    expect([request?.path, request?.detail]).toEqual([
      '/contracts/contract',
      expect.stringContaining("This account has no contract with the id 'contract'."),
    ]);
  });

  test('has no JSON Web Token, nor a field of a multipart form with the name of a secret', async () => {
    const control = controlOf(server);
    const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0';
    await control.service.get(`/customers/${jwt}`);
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    server.account(control.token).stubs.add({ method: 'POST', path: '/upload' });
    const names = ['sig', 'signature', 'otp', 'client_assertion', 'subscription-key'];
    await server.fetch('/upload', {
      method: 'POST',
      body: `${names.map((name) => part(name, `${name} 1`)).join('')}${part('title', 'A')}--x--`,
      headers: {
        Authorization: `Bearer ${control.token}`,
        'Content-Type': 'multipart/form-data; boundary=x',
      },
    });
    const [first, second] = await requestsOf(control);
    expect(first?.path).toBe('/customers/[redacted]');
    expect(second?.body).toBe(
      `${names.map((name) => part(name, '[redacted]')).join('')}${part('title', 'A')}--x--`,
    );
  });

  test.each([
    [16 * 1024, false],
    [16 * 1024 + 1, true],
  ])('with a body of %i bytes has its length and hash in its place: %j', async (bytes, isLong) => {
    const control = controlOf(server);
    const text = JSON.stringify({ refs: ['é'.repeat(8_000)], x: '' }).slice(0, -2);
    const body = `${text}${'x'.repeat(bytes - Buffer.byteLength(text) - 2)}"}`;
    expect(Buffer.byteLength(body)).toBe(bytes);
    expect((await postText(control, body)).status).toBe(200);
    const [noted] = await requestsOf(control);
    const hash = createHash('sha256').update(body).digest('hex');
    expect(noted?.body).toEqual(isLong ? { bytes, hash } : JSON.parse(body));
  });

  test('is a copy: what is done to it changes nothing', async () => {
    const control = controlOf(server);
    await control.service.deleteEvents(['shared-ref']);
    const { journal } = server.account(control.token);
    const before = JSON.stringify(await requestsOf(control));
    const [noted] = journal.list();
    Object.assign(noted ?? {}, { id: 99, path: '/elsewhere', status: 500 });
    Object.assign(noted?.headers ?? {}, { host: 'elsewhere' });
    (noted?.body as { refs: string[] } | undefined)?.refs.push('more');
    journal.list().pop();
    expect(JSON.stringify(journal.list())).toBe(before);
  });

  test('has the value that a decision had when it was answered', async () => {
    const control = controlOf(server);
    for (const status of [400, 422] as const) {
      await control.patch('/decisions', { 'invalid-request-status': status });
      await control.service.get('/measurements?limit=x');
    }
    const noted = await requestsOf(control);
    expect(noted.map(({ decisionValue }) => decisionValue)).toEqual(['400', '422']);
  });
});

describe('the journal', () => {
  const filters: readonly [JournalFilter, number[]][] = [
    [{}, [1, 2, 3, 4, 5]],
    [{ operationId: 'deleteContract' }, [1, 2]],
    [{ status: 404 }, [2, 4]],
    [{ path: '/customers/written' }, [3, 5]],
    [{ path: '/customers/writt' }, []],
    [{ since: '2030-01-02T03:04:07.000Z' }, [3, 4, 5]],
    [{ since: '2030-01-02T04:04:09+01:00' }, [5]],
    [{ since: '2030-01-02T03:04:09.000000Z' }, [5]],
    [{ since: '2030-01-02T03:04:09.0001Z' }, []],
    [{ since: '2030-01-02T03:04:09.001Z' }, []],
    [{ path: '/customers/written', since: '2030-01-02T03:04:08.000Z' }, [5]],
  ];

  test.each(filters)('lists and counts those that pass the filter %j', async (filter, ids) => {
    const control = frozen();
    const { clock, journal } = server.account(control.token);
    for (const call of [
      () => control.service.delete(CONTRACT),
      () => control.service.delete(CONTRACT),
      () => control.service.get('/customers/written'),
      () => control.service.get('/customers/nobody'),
      () => control.service.get('/customers/written'),
    ]) {
      await call();
      clock.advance(1_000);
    }
    await requestsOf(control);
    expect(journal.list(filter).map(({ id }) => id)).toEqual(ids);
    expect(journal.count(filter)).toBe(ids.length);
    expect((await control.post('/requests/count', filter)).body).toEqual({
      count: ids.length,
      evicted: 0,
    });
    const { body } = await control.get('/requests').query(filter);
    expect(body.requests.map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  test('counts all without a filter, and refuses one that is none', async () => {
    const control = controlOf(server);
    await control.service.get('/measurements');
    expect((await control.post('/requests/count')).body).toEqual({ count: 1, evicted: 0 });
    for (const filter of [{ status: 'ok' }, { since: 'today' }, { of: 'me' }, { method: 'GET' }]) {
      const { status, body } = await control.post('/requests/count', filter);
      expect(status).toBe(400);
      expect(body.errors[0].pointer).toBe(`/${Object.keys(filter)[0]}`);
    }
  });

  const typos: readonly [object, string, string][] = [
    [{ operationId: 'deleteContrat' }, '/operationId', "Did you mean 'deleteContract'?"],
    [{ op: 'deleteContract' }, '/op', "Did you mean 'operationId'?"],
    [{ method: 'GET' }, '/method', 'correct it to one of operationId, status, path, since'],
  ];

  test.each(typos)('refuses the typing error %j at every door', async (filter, pointer, advice) => {
    const control = controlOf(server);
    await control.service.delete(CONTRACT);
    const { journal } = server.account(control.token);
    for (const ask of ['list', 'count'] as const) {
      expect(() => journal[ask](filter as JournalFilter)).toThrow(advice);
    }
    const counted = await control.post('/requests/count', filter);
    const listed = await control.get('/requests').query(filter);
    for (const { status, body } of [counted, listed]) {
      expect([status, body.errors?.[0].pointer]).toEqual([400, pointer]);
    }
    expect(counted.body.errors[0].detail).toContain(advice);
    expect(counted.body.detail).toContain(advice);
  });

  test('of an account is not asked for that of the server', () => {
    const { journal } = server.account('own-journal');
    expect(() => journal.list({ of: 'server' } as JournalFilter)).toThrow('server.journal');
    expect(() => server.journal.count({ of: 'account' } as JournalFilter)).toThrow(
      'account(token)',
    );
  });

  test('forgets what it is told to, and gives no id twice', async () => {
    const control = controlOf(server);
    const { journal } = server.account(control.token);
    const call = () => control.service.get('/customers/written');
    await call();
    await call();
    expect((await control.delete('/requests')).body).toEqual({ count: 2 });
    expect(await requestsOf(control)).toEqual([]);
    await call();
    expect((await requestsOf(control)).map(({ id }) => id)).toEqual([3]);
    expect(journal.clear()).toBe(1);
    expect(journal.clear()).toBe(0);
    await call();
    expect((await requestsOf(control)).map(({ id }) => id)).toEqual([4]);
    expect(journal.evicted).toBe(0);
  });

  test('says so when a wait ends because its account was closed', async () => {
    const waiting = server.account('closed').journal.waitFor({}, { timeoutMs: 60_000 });
    server.closeAccount('closed');
    await expect(waiting).rejects.toThrow(
      'Expected 1 request within 60000 ms, but the account was closed or the mock stopped first; 0 of the 0 in the journal match and have ended.',
    );
  });

  test('keeps at most as many as it is told to, and counts what it let go', async () => {
    const small = await createMockServer({ dataset: 'empty', journalSize: 3 });
    const [control, other] = [controlOf(small), controlOf(small)];
    for (let call = 1; call <= 5; call += 1) {
      await control.service.get(`/measurements?limit=${call}`);
    }
    await other.service.get('/measurements');
    const noted = await requestsOf(control, small);
    expect(noted.map(({ id, query }) => [id, query])).toEqual([
      [3, 'limit=3'],
      [4, 'limit=4'],
      [5, 'limit=5'],
    ]);
    expect((await control.get('/requests')).body.evicted).toBe(2);
    expect((await control.get('/requests/2/explain')).status).toBe(404);
    expect((await other.get('/requests')).body.evicted).toBe(0);
    for (let call = 1; call <= 4; call += 1) await request(small.app).get(`/unknown/${call}`);
    expect(small.journal.list().map(({ path }) => path)).toEqual([
      '/unknown/2',
      '/unknown/3',
      '/unknown/4',
    ]);
    expect(small.journal.evicted).toBe(1);
  });

  test('of the size 0 keeps nothing', async () => {
    const none = await createMockServer({ dataset: 'empty', journalSize: 0 });
    const control = controlOf(none);
    expect((await control.service.postRefs({ refs: ['x'] })).status).toBe(200);
    await request(none.app).get('/unknown');
    expect((await control.get('/requests')).body.requests).toEqual([]);
    expect(none.account(control.token).journal.count()).toBe(0);
    expect(none.journal.list()).toEqual([]);
  });

  test('has no requests of the control plane, refused ones neither', async () => {
    const alone = await createMockServer({ dataset: 'empty' });
    const control = controlOf(alone);
    await control.get('/account');
    await control.post('/customers', { shoeSize: 44 });
    await control.get('/nothing');
    await request(alone.app).get('/__control/account');
    await request(alone.app).get('/__control/health');
    expect(alone.account(control.token).journal.list()).toEqual([]);
    expect(alone.journal.list()).toEqual([]);
  });

  test('is the same for the same calls, when the clock stands', async () => {
    const journals = [];
    for (let run = 0; run < 2; run += 1) {
      const control = frozen(run === 0 ? server : await createMockServer(SAME));
      await control.service.get('/measurements?limit=2');
      await control.service.delete(CONTRACT);
      await control.service.delete(CONTRACT);
      await control.service.deleteEvents(['shared-ref']);
      await control.service.head('/customers/nobody');
      await control.service.get('/measurements?limit=none&page=1');
      const { body } = await control.get('/requests');
      for (const { headers } of body.requests) delete headers.host;
      journals.push(JSON.stringify(body));
    }
    expect(journals[0]).toBe(journals[1]);
    expect(JSON.parse(journals[0] ?? '').requests).toHaveLength(6);
  });

  const SAME = { dataset: 'test/support/mixed-records.yaml' };
});

describe('an explanation', () => {
  /** The sentences, which library and control plane must agree on. */
  async function explain({ token, get }: Control, id: number): Promise<string> {
    const explanation = server.account(token).journal.explain(id);
    const { status, body } = await get(`/requests/${id}/explain`);
    expect(status).toBe(200);
    expect(body).toEqual({ id, explanation });
    return explanation.join('\n');
  }

  test('of a refusal by the document says what is wrong', async () => {
    const control = controlOf(server);
    await control.service.postRefs({ refs: 3 });
    const words = await explain(control, 1);
    expect(words).toContain('deleteEventsByRefs');
    expect(words).toContain('refused with 400 (invalid-request)');
    expect(words).toContain('/refs: expected an array, received 3');
    expect(words).toContain('Section 7');
  });

  test.each([
    ['not-found', 404, '404 (see `unknown-identifier-status`), as for an unknown id'],
    ['gone', 410, '410 Gone.'],
  ] as const)(
    'of a refusal by the decision repeat-delete names its section and %s',
    async (value, status, meaning) => {
      const control = controlOf(server);
      await control.patch('/decisions', { 'repeat-delete': value });
      await control.service.delete(CONTRACT);
      await control.service.delete(CONTRACT);
      const words = await explain(control, 2);
      expect(words).toContain(`refused with ${status}`);
      expect(words).toMatch(/Section 3 .*What does a second delete of a contract return\?/);
      expect(words).toContain(`'repeat-delete' is '${value}': ${meaning}`);
      expect(await explain(control, 1)).not.toContain('repeat-delete');
    },
  );

  test('of a fault names it, and what became of the connection', async () => {
    const control = controlOf(server);
    await control.post('/faults', { kind: 'empty' });
    await control.post('/faults', { kind: 'status', status: 503 });
    await expect(control.service.get('/measurements')).rejects.toThrow();
    await control.service.get('/measurements');
    await requestsOf(control);
    expect(await explain(control, 1)).toMatch(/Fault 1 .*no response.*connection closed/s);
    expect(await explain(control, 2)).toMatch(/Fault 2 .*refused with 503/s);
  });

  test('of a request that is not kept is refused', async () => {
    const control = controlOf(server);
    const { journal } = server.account(control.token);
    expect(() => journal.explain(1)).toThrow(UnknownIdError);
    const { status, body } = await control.get('/requests/1/explain');
    expect(status).toBe(404);
    expect(body.detail).toContain("no request '1'");
    expect((await control.get('/requests/first/explain')).status).toBe(400);
  });
});

describe('the requests that reach no account', () => {
  test('are in the journal of the server, and in no other', async () => {
    const strict = await createMockServer({
      dataset: 'empty',
      accounts: { 'refused-token': { refused: true } },
    });
    const control = controlOf(strict);
    const { app } = strict;
    await request(app).get('/measurements');
    await request(app).get('/measurements').set('Authorization', 'Bearer refused-token');
    await request(app).get('/measurements').set('Authorization', 'Basic basic-secret');
    await control.service.get('/invoices?page=1');
    await control.service.delete('/measurements');
    await control.service.get('/measurements');
    await until(() => strict.journal.list().every(({ outcome }) => outcome !== undefined));

    const noted = strict.journal.list();
    expect(
      noted.map(({ id, method, path, status, problem }) => [id, method, path, status, problem]),
    ).toEqual([
      [1, 'GET', '/measurements', 401, 'unauthorized'],
      [2, 'GET', '/measurements', 401, 'unauthorized'],
      [3, 'GET', '/measurements', 401, 'unauthorized'],
      [4, 'GET', '/invoices', 404, 'unknown-path'],
      [5, 'DELETE', '/measurements', 405, 'method-not-allowed'],
    ]);
    expect(noted[3]).toMatchObject({ query: 'page=1', outcome: 'answered' });
    expect(noted[0]).toMatchObject({ decision: 'unauthorized-status', decisionValue: '401' });
    expect(JSON.stringify(noted)).not.toMatch(
      new RegExp(`refused-token|basic-secret|${control.token}`),
    );
    expect(strict.journal.count({ status: 401 })).toBe(3);
    expect(strict.journal.explain(4).join(' ')).toMatch(/no operation.*refused with 404/);

    expect(strict.account(control.token).journal.count()).toBe(1);
    const count = async (body: object) => (await control.post('/requests/count', body)).body.count;
    expect(await count({ of: 'server' })).toBe(5);
    expect(await count({ of: 'server', status: 401 })).toBe(3);
    expect(await count({ of: 'account' })).toBe(1);

    strict.resetAll();
    expect(strict.journal.count()).toBe(5);
    expect(strict.journal.clear()).toBe(5);
    expect(strict.journal.list()).toEqual([]);
  });
});

test('a wait ends with its caller, and leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const { token } = frozen();
  const caller = new AbortController();
  const before = timers();
  const waiting = server.fetch('/__control/requests/wait', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"timeoutMs":600000}',
    signal: caller.signal,
  });
  await until(() => timers() > before);
  caller.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await until(() => timers() === before);
});
