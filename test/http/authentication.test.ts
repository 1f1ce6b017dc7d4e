import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { sendRaw } from '../support/socket.js';

const server = await createMockServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

describe('a request', () => {
  test.each([
    ['no Authorization header', undefined, 'No Authorization header was received'],
    ['an empty one', '', 'The Authorization header is empty'],
    ['one of a no-break space', '\u00a0', 'The Authorization header is empty'],
    ['the scheme and a space', 'Bearer ', 'no token after the scheme'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'does not have the scheme Bearer'],
    ['a bare token', 'secret-token', 'does not have the scheme Bearer'],
    ['two tokens', 'Bearer secret-token other', 'The token in the Authorization header has spaces'],
    [
      'a token with an umlaut',
      'Bearer secret-token-\u00fc',
      'has characters that are not visible ASCII',
    ],
  ])('with %s is refused with 401', async (_words, header, detail) => {
    const call = request(server.app).get('/measurements');
    const response = await (header === undefined ? call : call.set('Authorization', header));
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="usage-billing-mock"');
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.body).toMatchObject({
      type: 'urn:usage-billing-mock:problem:unauthorized',
      status: 401,
      detail: expect.stringContaining(detail),
    });
    expect(response.body.detail).toContain("expected 'Authorization: Bearer <token>'");
    expect(response.text).not.toContain('secret-token');
  });

  test.each([
    ['Authorization', ['Authorization: Bearer one', 'Authorization: Bearer other']],
    ['Authorization', ['authorization: Bearer one', 'AUTHORIZATION: Bearer one']],
    ['Host', ['Host: localhost', 'Authorization: Bearer one']],
    ['Content-Type', ['Content-Type: text/plain', 'Content-Type: application/json']],
  ])('with two header fields %s is refused with 400', async (name, lines) => {
    const fields = ['Host: localhost', 'Connection: close', ...lines].join('\r\n');
    const { status, body } = await sendRaw(
      server.url,
      `GET /measurements HTTP/1.1\r\n${fields}\r\n\r\n`,
    );
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      type: 'urn:usage-billing-mock:problem:malformed-http',
      detail: `The request has 2 ${name} headers; expected at most 1. Remove the others (RFC 9110, section 5.3).`,
    });
    expect(body).not.toMatch(/Bearer (one|other)/);
  });

  test('without a Host header names its operation in the journal', async () => {
    server.journal.clear();
    await sendRaw(server.url, 'GET /measurements HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(server.journal.list()).toMatchObject([
      { operationId: 'listMeasurements', status: 400, problem: 'malformed-http' },
    ]);
  });

  test.each(['Bearer', 'bEARer', 'bearer  '])(
    'with the scheme written %j is let in',
    async (scheme) => {
      const { status } = await request(server.app)
        .get('/measurements')
        .set('Authorization', `${scheme} any-token`);
      expect(status).toBe(200);
      expect(server.tokens()).not.toContain(' any-token');
    },
  );

  test.each([
    'a',
    'a.b-c_d~e+f/g==',
    'x'.repeat(4_000),
    'TestTable/same#01',
    '"quoted"',
    'test_pay[a-b;c]',
    '$HOME`!\\',
  ])('with the new token %s opens an account over the dataset', async (token) => {
    const { status, body } = await clientOf(server, token).get('/measurements');
    expect(status).toBe(200);
    expect(body.total).toBe(6476);
  });

  test('with a token in other letters acts on another account', async () => {
    const [lower, upper] = [clientOf(server, 'case'), clientOf(server, 'CASE')];
    await lower.delete('/contracts/65b000000000000000000001');
    expect((await upper.delete('/contracts/65b000000000000000000001')).status).toBe(200);
  });
});
