import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { openapi } from '../support/document.js';

const server = await createMockServer();

describe('HEAD', () => {
  test.each(['/measurements?limit=3', '/customers/65a000000000000000000001', '/customers/nobody'])(
    'answers %s as GET does, without the body',
    async (path) => {
      const client = clientOf(server);
      const [head, get] = [await client.head(path), await client.get(path)];
      const { date: _head, ...headFields } = head.headers;
      const { date: _get, ...getFields } = get.headers;
      expect(head.status).toBe(get.status);
      expect(headFields).toEqual(getFields);
      expect(head.text).toBeUndefined();
    },
  );

  test('is refused where there is no GET', async () => {
    const { status, headers } = await clientOf(server).head('/events/delete-by-refs');
    expect(status).toBe(405);
    expect(headers.allow).toBe('POST, OPTIONS');
  });
});

describe('Allow', () => {
  test.each(Object.entries<object>(openapi.paths))('of %s is true', async (template, item) => {
    const path = template.replaceAll(/\{\w+\}/g, 'x');
    const documented = Object.keys(item).map((method) => method.toUpperCase());
    const others = 'get' in item ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
    const options = await request(server.app).options(path);
    expect(options.status).toBe(204);
    const { allow = '' } = options.headers;
    expect(allow.split(', ').sort()).toEqual([...documented, ...others].sort());
    expect(options.text).toBe('');

    const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
    for (const method of methods) {
      const response = await request(server.app)[method](path).set('Authorization', 'Bearer t');
      const isAllowed = allow.split(', ').includes(method.toUpperCase());
      expect([method, response.status === 405]).toEqual([method, !isAllowed]);
      if (!isAllowed) expect(response.headers.allow).toBe(allow);
    }
  });
});

describe('a page on another origin', () => {
  const origin = 'https://app.example';
  const preflight = (path: string, method: string) =>
    request(server.app)
      .options(path)
      .set('Origin', origin)
      .set('Access-Control-Request-Method', method)
      .set('Access-Control-Request-Headers', 'authorization,content-type,x-own');

  test('may send what it asks for, by the methods of the path', async () => {
    const { status, headers } = await preflight('/events/delete-by-refs', 'POST');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST,OPTIONS',
      'access-control-allow-headers': 'authorization,content-type,x-own',
    });
  });

  test('is let through to an unknown path, so that it can read the 404', async () => {
    const { status, headers } = await preflight('//customers/x', 'GET');
    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']).toBe('GET');
    expect(headers).not.toHaveProperty('allow');
    expect((await request(server.app).options('//customers/x')).status).toBe(404);
  });

  test.each([
    ['PUT', '/measurements', 'GET,HEAD,OPTIONS,PUT', 'GET, HEAD, OPTIONS'],
    ['GET', '/events/delete-by-refs', 'POST,OPTIONS,GET', 'POST, OPTIONS'],
  ] as const)(
    'is let through with %s to %s, which does not take it, so that it can read the 405',
    async (method, path, allowed, allow) => {
      const { status, headers } = await preflight(path, method);
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': allowed,
        'access-control-allow-headers': 'authorization,content-type,x-own',
        allow,
      });
      const verb = method === 'PUT' ? 'put' : 'get';
      const refused = await request(server.app)[verb](path).set('Origin', origin);
      expect(refused.status).toBe(405);
      expect(refused.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        allow,
      });
      expect(refused.headers['access-control-expose-headers']).toContain('Allow');
    },
  );

  test.each([
    ['a response', '/measurements', 'Bearer t', 200],
    ['an error', '/measurements?limit=0', 'Bearer t', 400],
    ['a refused token', '/measurements', 'none', 401],
    ['an unknown path', '/invoices', 'Bearer t', 404],
  ])('may read %s and the header fields that matter', async (_words, path, token, status) => {
    const response = await request(server.app)
      .get(path)
      .set('Origin', origin)
      .set('Authorization', token);
    expect(response.status).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    expect(response.headers['access-control-allow-credentials']).toBe('true');
    expect(response.headers['access-control-expose-headers']).toBe(
      'WWW-Authenticate,Retry-After,Allow,Preference-Applied,Decisions',
    );
  });
});

test('a conditional request is answered like any other', async () => {
  const { status, body } = await clientOf(server).get('/measurements').set('If-None-Match', '*');
  expect(status).toBe(200);
  expect(body.total).toBe(6476);
});

test('no response may be cached, and none has an ETag', async () => {
  const { headers } = await clientOf(server).get('/measurements');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers).not.toHaveProperty('etag');
  expect(headers).not.toHaveProperty('x-powered-by');
});
