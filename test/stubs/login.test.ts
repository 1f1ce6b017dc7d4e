import { createMockServer, type StubRequest } from '../../src/index.js';

const LOGIN: StubRequest = {
  method: 'POST',
  path: '/login',
  body: { user: '{{body.user}}', token: '{{token body.user}}' },
};

const server = await createMockServer({ stubs: [LOGIN] });

function post(path: string, body: string, type = 'application/json') {
  return server.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type } });
}

async function logIn(user: string): Promise<string> {
  const response = await post('/login', JSON.stringify({ user, password: 'secret' }));
  expect(response.status).toBe(200);
  const { token } = (await response.json()) as { token: string };
  return token;
}

function deleteContract(token: string) {
  return server.fetch('/contracts/65b000000000000000000001', {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  });
}

describe('users that log in by a stub', () => {
  test('get an account each, and the same one at each login', async () => {
    const [robin, jules] = [await logIn('robin@acme.example'), await logIn('jules@acme.example')];
    expect((await deleteContract(robin)).status).toBe(200);
    expect((await deleteContract(jules)).status).toBe(200);
    expect((await deleteContract(await logIn('robin@acme.example'))).status).toBe(404);
    expect(server.tokens()).toEqual([robin, jules]);
  });

  test('get a JWT that can be decoded, with times that are far from now', async () => {
    const [header, payload, signature] = (await logIn('robin@acme.example')).split('.');
    const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decoded(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decoded(payload)).toEqual({
      sub: 'robin@acme.example',
      iat: Date.UTC(2020, 0, 1) / 1_000,
      exp: Date.UTC(2100, 0, 1) / 1_000,
    });
    expect(signature).toMatch(/^[\w-]{43}$/);
  });

  test('get the same token from every mock', async () => {
    const other = await createMockServer({ dataset: 'empty', stubs: [LOGIN] });
    const response = await other.fetch('/login', {
      method: 'POST',
      body: new URLSearchParams({ user: 'robin@acme.example' }),
    });
    expect(await response.json()).toEqual({
      user: 'robin@acme.example',
      token: await logIn('robin@acme.example'),
    });
  });

  test('are known where unknown tokens are refused, whichever mock they logged in to', async () => {
    const strict = await createMockServer({ decisions: { 'unknown-token': 'reject' } });
    const statusOf = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await strict.fetch('/measurements?limit=1', { headers })).status;
    };
    const token = await logIn('robin@acme.example');
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(token.replace(/.$/, '-'))).toBe(401);
    expect(await statusOf('made-up')).toBe(401);
  });

  test.each(['', 'Ünï cødé 🙂', '\ud800'])('get a valid bearer token as %j', async (user) => {
    const token = await logIn(user);
    expect((await deleteContract(token)).status).toBe(200);
  });

  test('are told which member the stub expects if it is missing', async () => {
    const response = await post('/login', '{"username":"robin"}');
    expect(response.status).toBe(400);
    const problem = (await response.json()) as { detail: string; errors: object[] };
    expect(problem.detail).toBe(
      'Stub 1 of the server cannot answer: body /user: expected a string, a number, true or false for {{body.user}} in the stub, received nothing; body /user: expected a string, a number, true or false for {{token body.user}} in the stub, received nothing.',
    );
    expect(problem.errors[0]).toMatchObject({ in: 'body', pointer: '/user' });
  });

  test('are told of a body that is not JSON', async () => {
    const response = await post('/login', '{"user":');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ title: 'Malformed JSON' });
  });

  test.each([
    '{"user":["a"]}',
    '{"user":{"toString":"a"}}',
    '{"__proto__":{"user":"a"}}',
    '"user"',
  ])('get no token for %s', async (body) => {
    const response = await post('/login', body);
    expect(response.status).toBe(400);
  });

  test('get no token that is too long for a header', async () => {
    const response = await post('/login', JSON.stringify({ user: 'x'.repeat(1_001) }));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'expected at most 1000 characters for {{token body.user}}',
    );
  });

  test('may send a token that is old or refused', async () => {
    const strict = await createMockServer({
      stubs: [LOGIN],
      accounts: { revoked: { refused: true } },
    });
    for (const Authorization of ['Bearer revoked', 'Basic cm9iaW46c2VjcmV0', 'Bearer', '']) {
      const { status } = await strict.fetch('/login', {
        method: 'POST',
        body: '{"user":"robin"}',
        headers: { Authorization, 'Content-Type': 'application/json' },
      });
      expect([Authorization, status]).toEqual([Authorization, 200]);
    }
  });
});
