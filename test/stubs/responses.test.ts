import request from 'supertest';
import { createMockServer, InvalidInputError, type StubRequest } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const SANDBOX = 'sandbox allow-forms allow-modals allow-popups allow-scripts';

async function serve(...stubs: StubRequest[]) {
  const server = await createMockServer({ dataset: 'empty', stubs });
  return { server, client: clientOf(server) };
}

describe('a stub', () => {
  test('answers 200 without a body unless it says more', async () => {
    const { server } = await serve({ method: 'GET', path: '/health' });
    const response = await request(server.app).get('/health');
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.headers).not.toHaveProperty('content-type');
  });

  test('has the status, the header fields and the body that it was given', async () => {
    const { server } = await serve({
      method: 'PUT',
      path: '/invoices/{id}',
      status: 201,
      headers: {
        Location: '/invoices/{{path.id}}?page={{query.page}}',
        'Cache-Control': 'max-age=9',
      },
      body: {
        id: '{{path.id}}',
        lines: [{ page: '{{query.page}} of {{ query.pages }}' }],
        paid: false,
      },
    });
    const response = await request(server.app).put('/invoices/a%20b?page=1&pages=2+3&page=4');
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({
      location: '/invoices/a b?page=4',
      'cache-control': 'max-age=9',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expect(response.body).toEqual({ id: 'a b', lines: [{ page: '4 of 2 3' }], paid: false });
  });

  test('may answer text of another type', async () => {
    const headers = { 'content-type': 'text/csv' };
    const { server } = await serve({ method: 'GET', path: '/x', headers, body: 'a,{{query.b}}\n' });
    const response = await request(server.app).get('/x?b=2');
    expect([response.text, response.type]).toEqual(['a,2\n', 'text/csv']);
  });

  test('reads members of members, and fields of a form', async () => {
    const { server } = await serve({
      method: 'POST',
      path: '/echo',
      body: '{{body.user.names.1}} is {{body.age}}, {{body.isNew}}',
    });
    const body = { user: { names: ['a', 'b'] }, age: 5, isNew: true };
    expect((await request(server.app).post('/echo').send(body)).body).toBe('b is 5, true');
    const form = await request(server.app).post('/echo').send('age=5&isNew=yes');
    expect(form.body.errors).toEqual([expect.objectContaining({ pointer: '/user/names/1' })]);
  });

  test('has no members of a body that is neither JSON nor a form', async () => {
    const body = { name: '{{body.name}}' };
    const { server } = await serve({ method: 'POST', path: '/greet', body });
    const send = (type: string) => request(server.app).post('/greet').type(type).send('name=Ada');
    expect((await send('application/x-www-form-urlencoded')).body).toEqual({ name: 'Ada' });
    expect((await send('text/plain')).status).toBe(400);
  });

  test('that refers to nothing of the body accepts any', async () => {
    const { server } = await serve({ method: 'POST', path: '/logout', status: 204 });
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const response = await request(server.app).post('/logout').type(type).send('{');
      expect(response.status).toBe(204);
    }
  });

  test('reads no more of a body than an operation does', async () => {
    const { server } = await serve({ method: 'POST', path: '/logout', status: 204 });
    const url = await server.start();
    const response = await fetch(`${url}/logout`, {
      method: 'POST',
      body: 'x'.repeat(10 * 2 ** 20 + 1),
    });
    await server.stop();
    expect(response.status).toBe(413);
  });

  test('of GET answers HEAD', async () => {
    const { server } = await serve({ method: 'GET', path: '/me', body: { name: 'Robin' } });
    const response = await request(server.app).head('/me');
    expect([response.status, response.headers['content-length']]).toEqual([200, '16']);
  });

  test('with a more concrete path comes first, whichever was added first', async () => {
    const { client } = await serve(
      { method: 'GET', path: '/invoices/{id}', body: 'one' },
      { method: 'GET', path: '/invoices/latest', body: 'the latest' },
      { method: 'GET', path: '/{any}/{id}/pdf/a', body: 'any' },
    );
    expect((await client.get('/invoices/latest')).body).toBe('the latest');
    expect((await client.get('/invoices/1')).body).toBe('one');
    expect((await client.get('/invoices/1/pdf/a')).body).toBe('any');
  });

  test('answers what no operation does of the calls that its path has', async () => {
    const { server, client } = await serve(
      { method: 'GET', path: '/customers/{id}/contracts', body: '{{path.id}}' },
      { method: 'DELETE', path: '/{kind}/{id}', body: 'gone' },
    );
    expect((await client.get('/customers/a/contracts')).body).toBe('a');
    expect((await client.get('/customers/name/contracts')).body.detail).toContain(
      "This account has no customer with the name 'contracts'",
    );
    expect((await client.delete('/contracts/k1')).status).toBe(404);
    expect((await client.delete('/invoices/k1')).body).toBe('gone');
    const { status, headers, body } = await request(server.app).post('/customers/name/contracts');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(body.detail).toContain('expected GET (getCustomerByName).');
  });

  test('matches its path strictly', async () => {
    const { client } = await serve({ method: 'GET', path: '/invoices/{id}' });
    for (const path of [
      '/invoices',
      '/invoices/',
      '/Invoices/1',
      '/invoices/1/',
      '/invoices/1/2',
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
  });

  test('that needs a token is refused without one, and acts on the account otherwise', async () => {
    const { server, client } = await serve({ method: 'GET', path: '/me', needsToken: true });
    const { status, headers } = await request(server.app).get('/me');
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="usage-billing-mock"',
    ]);
    expect((await client.get('/me')).status).toBe(200);
    expect(server.tokens()).toEqual([client.token]);
  });

  test('of a path that an operation has as well leaves the operation alone', async () => {
    const { server, client } = await serve({ method: 'POST', path: '/measurements', status: 201 });
    expect((await client.get('/measurements')).body.total).toBe(0);
    expect((await request(server.app).post('/measurements').send({})).status).toBe(201);
    const refused = await request(server.app).patch('/measurements');
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    expect(refused.body.detail).toContain(
      '/measurements was called with PATCH; expected GET (listMeasurements) or POST (stub 1 of the server).',
    );
  });

  test('that is read has a HEAD too, and takes all after the first question mark for the query', async () => {
    const { server } = await serve({ method: 'GET', path: '/echo', body: ['{{query.a}}'] });
    expect((await request(server.app).get('/echo?a=1?b')).body).toEqual(['1?b']);
    expect((await request(server.app).put('/echo')).headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('is named by the 405 of another method of its path, and by OPTIONS', async () => {
    const { server } = await serve({ method: 'POST', path: '/login' });
    const refused = await request(server.app).get('/login');
    expect([refused.status, refused.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect(refused.body.detail).toContain('expected POST (stub 1 of the server).');
    const options = await request(server.app).options('/login');
    expect([options.status, options.headers.allow]).toEqual([204, 'POST, OPTIONS']);
  });

  test('answers pages on other origins', async () => {
    const { server } = await serve({ method: 'POST', path: '/login' });
    const preflight = await request(server.app)
      .options('/login')
      .set({ Origin: 'http://page.example', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('POST,OPTIONS');
  });

  test('puts no value into a header field that it cannot have', async () => {
    const { server } = await serve({
      method: 'POST',
      path: '/login',
      headers: { 'X-User': '{{body.user}}' },
    });
    const response = await request(server.app)
      .post('/login')
      .send({ user: 'a\r\nSet-Cookie: admin=1' });
    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(
      'expected Latin-1 characters without control characters for {{body.user}}',
    );
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  test.each(['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml', 'image/svg+xml'])(
    'of the type %s escapes what was sent, and is sandboxed by the browser',
    async (type) => {
      const { server } = await serve({
        method: 'GET',
        path: '/login',
        headers: { 'Content-Type': type, 'X-Sent': '{{query.q}}' },
        body: '<b title="{{query.q}}">{{query.q}} & {{token query.q}}</b>',
      });
      const q = `"'<script>&`;
      const response = await request(server.app).get('/login').query({ q }).buffer(true);
      const text = response.text ?? response.body.toString();
      const escaped = '&#34;&#39;&#60;script&#62;&#38;';
      expect(text).toMatch(
        new RegExp(`^<b title="${escaped}">${escaped} & [\\w-]+\\.[\\w-]+\\.[\\w-]+</b>$`),
      );
      expect(response.headers).toMatchObject({ 'content-security-policy': SANDBOX, 'x-sent': q });
    },
  );

  test.each([
    ['its own policy', { 'content-security-policy': "default-src 'self'" }, "default-src 'self', "],
    [
      'its own sandbox, which loosens nothing',
      { 'Content-Security-Policy': 'sandbox allow-same-origin allow-scripts' },
      'sandbox allow-same-origin allow-scripts, ',
    ],
  ])('keeps %s beside the sandbox', async (_what, headers, policy) => {
    const { server } = await serve({
      method: 'GET',
      path: '/login',
      headers: { 'Content-Type': 'text/html', ...headers },
      body: '',
    });
    const response = await request(server.app).get('/login');
    expect(response.headers['content-security-policy']).toBe(policy + SANDBOX);
  });

  test.each([
    'text/html',
    'application/json, text/html',
    'application/json; a=b, text/html',
    'application/a, text/html; b=+json',
    '*/*',
  ])('whose type a caller chooses is sandboxed as %s, too', async (type) => {
    const { server } = await serve({
      method: 'GET',
      path: '/any',
      headers: { 'Content-Type': '{{query.type}}' },
      body: '<p>',
    });
    const { headers } = await server.fetch(`/any?type=${encodeURIComponent(type)}`);
    expect(headers.get('content-security-policy')).toBe(SANDBOX);
  });

  test.each([{}, { 'Content-Type': 'application/problem+json; charset=utf-8' }])(
    'of JSON has neither: %j',
    async (headers) => {
      const { server } = await serve({ method: 'GET', path: '/a', headers, body: '{{query.q}}' });
      const response = await request(server.app).get('/a?q=<b>');
      expect(response.body).toBe('<b>');
      expect(response.headers).not.toHaveProperty('content-security-policy');
    },
  );

  test('repeats no value so often that the response gets out of hand', async () => {
    const body = Array.from({ length: 20 }, () => '{{body.text}}');
    const { server } = await serve({ method: 'POST', path: '/echo', body });
    const { status } = await request(server.app)
      .post('/echo')
      .send({ text: 'x'.repeat(2 ** 20) });
    expect(status).toBe(413);
  });
});

describe('a list of stubs', () => {
  test('gives, removes and clears them', async () => {
    const { server, client } = await serve({ method: 'GET', path: '/a' });
    const added = server.stubs.add({ method: 'GET', path: '/b', body: { x: 1 } });
    expect(added).toEqual({
      id: 2,
      for: 'server',
      method: 'GET',
      path: '/b',
      status: 200,
      body: { x: 1 },
      needsToken: false,
    });
    expect(server.stubs.list().map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(server.stubs.remove(1)?.path).toBe('/a');
    expect(server.stubs.remove(1)).toBeUndefined();
    expect(server.stubs.clear()).toBe(1);
    expect((await client.get('/b')).status).toBe(404);
    expect(server.stubs.add({ method: 'GET', path: '/b' }).id).toBe(3);
  });

  test('is not changed by what happens to the request afterwards', async () => {
    const { server, client } = await serve();
    const body = { name: 'Robin' };
    const stub = server.stubs.add({ method: 'GET', path: '/me', body });
    body.name = 'Jules';
    expect(() => Object.assign(stub, { status: 500 })).toThrow(TypeError);
    expect((await client.get('/me')).body).toEqual({ name: 'Robin' });
  });

  test('has no two stubs for one method and path', async () => {
    const { server } = await serve({ method: 'GET', path: '/invoices/{id}' });
    expect(() => server.stubs.add({ method: 'GET', path: '/invoices/{number}' })).toThrow(
      'The server already has stub 1 for GET /invoices/{id}; expected another method or path. Remove that stub first.',
    );
    server.stubs.add({ method: 'DELETE', path: '/invoices/{number}' });
  });

  test('has at most 1,000 besides those that the server declares', async () => {
    const most = Array.from({ length: 1_000 }, (_, n) => `/stub/${n}` as const);
    const { server } = await serve({ method: 'GET', path: '/declared' });
    for (const path of most) server.stubs.add({ method: 'GET', path });
    expect(() => server.stubs.add({ method: 'GET', path: '/one-more' })).toThrow(
      'There are 1,000 stubs in this list, and this would add 1; expected at most 1,000. Remove some, or all with DELETE /__control/stubs, or with ?for=server those of the server (stubs.clear() in the library).',
    );
  });
});

describe('a stub is refused', () => {
  const refusals: readonly [string, object, string][] = [
    [
      'for an operation',
      { method: 'GET', path: '/measurements' },
      '\'path\' is "/measurements"; expected a call that no operation answers. A stub cannot replace GET /measurements (listMeasurements). Change records, decisions or faults instead, or stub another path.',
    ],
    ['for one of its paths', { method: 'GET', path: '/customers/name' }, '(getCustomer)'],
    [
      'for one of its names',
      { method: 'GET', path: '/customers/name/Acme' },
      '(getCustomerByName)',
    ],
    [
      'below the control plane',
      { method: 'GET', path: '/__control/x' },
      'a path outside /__control',
    ],
    [
      'without a slash',
      { method: 'GET', path: 'login' },
      '\'path\' is "login"; expected a path such as /login or /invoices/{id}',
    ],
    ['with a query', { method: 'GET', path: '/login?x=1' }, 'leave out the query'],
    ['with two slashes', { method: 'GET', path: '/a//b' }, 'expected a path'],
    ['with characters of no path', { method: 'GET', path: '/a b' }, 'percent-encode'],
    [
      'with a parameter in a part of a segment',
      { method: 'GET', path: '/a.{b}' },
      'a whole segment',
    ],
    ['with a parameter that does not end', { method: 'GET', path: '/{a' }, 'expected a path'],
    ['with a parameter twice', { method: 'GET', path: '/{a}/x/{a}' }, 'a different name'],
    ['with an unknown method', { method: 'post', path: '/a' }, "Did you mean 'POST'?"],
    [
      'with a method that the mock answers',
      { method: 'OPTIONS', path: '/a' },
      '\'method\' is "OPTIONS"; expected one of GET',
    ],
    ['without a path', { method: 'GET' }, "expected the member 'path'"],
    ['with an unknown member', { method: 'GET', path: '/a', boddy: 1 }, "Did you mean 'body'?"],
    [
      'with a status of no response',
      { method: 'GET', path: '/a', status: 101 },
      "'status' is 101; expected at least 200",
    ],
    [
      'with a status beyond',
      { method: 'GET', path: '/a', status: 600 },
      "'status' is 600; expected at most 599",
    ],
    [
      'with a body and a status that has none',
      { method: 'GET', path: '/a', status: 204, body: {} },
      "'body' is {}; expected no body with the status 204. Leave it out, or use another status.",
    ],
    [
      'with a header that is no text',
      { method: 'GET', path: '/a', headers: { Age: 1 } },
      "'headers/Age' is 1; expected a string",
    ],
    [
      'with a header of another name',
      { method: 'GET', path: '/a', headers: { 'a b': '' } },
      'the name of a header field',
    ],
    [
      'with a header of control characters',
      { method: 'GET', path: '/a', headers: { a: 'x\r\nb: c' } },
      'without control characters',
    ],
    [
      'with a header of the connection',
      { method: 'GET', path: '/a', headers: { 'content-length': '5' } },
      '\'headers/content-length\' is "5"; expected a header field that the mock does not set. Leave it out.',
    ],
    [
      'with an object as text',
      { method: 'GET', path: '/a', headers: { 'Content-Type': 'text/html' }, body: {} },
      "'body' is {}; expected a string with the Content-Type 'text/html'",
    ],
    [
      'with an unknown placeholder',
      { method: 'GET', path: '/a', body: { b: ['{{bdy.user}}'] } },
      '\'body/b/0\' is "{{bdy.user}}"; expected {{path.NAME}}',
    ],
    [
      'with a placeholder that does not end',
      { method: 'GET', path: '/a', body: '{{body.user}' },
      `'body' is "{{"; expected {{path.NAME}}`,
    ],
    [
      'with a placeholder of no parameter',
      { method: 'GET', path: '/a/{id}', body: '{{path.idd}}' },
      "Did you mean 'id'?",
    ],
    [
      'with a placeholder of no path',
      { method: 'GET', path: '/a', headers: { b: '{{path.id}}' } },
      'no {{path.NAME}}, because the path has no parameter',
    ],
  ];

  test.each(refusals)('%s', async (_what, stub, sentence) => {
    const { server } = await serve();
    const act = () => server.stubs.add(stub as StubRequest);
    expect(act).toThrow(InvalidInputError);
    expect(act).toThrow(sentence);
    await expect(createMockServer({ stubs: [stub as StubRequest] })).rejects.toThrow(
      sentence.replace(/^'/, "The option 'stubs': '0/"),
    );
  });

  test.each([null, 5, 'x', [], undefined, () => 1, 5n])('if it is %p', async (stub) => {
    const { server } = await serve();
    expect(() => server.stubs.add(stub as unknown as StubRequest)).toThrow(InvalidInputError);
  });

  test('if it is nested too deeply or refers to itself', async () => {
    const { server } = await serve();
    const circle: { self?: object } = {};
    circle.self = circle;
    const deep = JSON.parse('['.repeat(9_000) + ']'.repeat(9_000));
    for (const body of [circle, deep]) {
      expect(() => server.stubs.add({ method: 'GET', path: '/a', body })).toThrow('100 levels');
    }
  });

  test.each([[{}], ['x'], [5], [null]])('in an option that is %p', async (stubs) => {
    await expect(createMockServer({ stubs: stubs as never })).rejects.toThrow("The option 'stubs'");
  });

  test('in an option if another there has its method and path', async () => {
    const stubs: StubRequest[] = [
      { method: 'GET', path: '/a/{b}' },
      { method: 'GET', path: '/a/{c}' },
    ];
    await expect(createMockServer({ stubs })).rejects.toThrow(
      "The option 'stubs': '1/path' is \"/a/{c}\"; expected another method or path: stubs/0 has GET /a/{b}",
    );
  });
});
