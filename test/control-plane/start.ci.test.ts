import request from 'supertest';
import { createMockServer } from '../../src/index.js';

const server = await createMockServer({ dataset: 'empty' });
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('GET /__control', () => {
  test.each(['/__control', '/__control/'])('sends a browser from %s to the page', async (path) => {
    const { status, headers } = await request(server.app).get(path).set('Accept', HTML);
    expect([status, headers.location]).toEqual([302, '/__control/ui']);
    const below = await createMockServer({ dataset: 'empty', basePath: '/v1' });
    const response = await request(below.app).get(`/v1${path}`).set('Accept', HTML);
    expect(response.headers.location).toBe('/v1/__control/ui');
  });

  test('tells other clients where to begin, without a token', async () => {
    const guarded = await createMockServer({ dataset: 'empty', controlToken: 'secret' });
    const { status, body } = await request(guarded.app).get('/__control');
    expect([status, body]).toEqual([
      200,
      {
        health: '/__control/health',
        document: '/__control/control.openapi.json',
        page: '/__control/ui',
      },
    ]);
    expect((await request(server.app).post('/__control')).status).toBe(405);
  });

  test('names no page where there is none', async () => {
    const { app } = await createMockServer({ dataset: 'empty', ui: false });
    const { status, body } = await request(app).get('/__control').set('Accept', HTML);
    expect([status, body.page, body.health]).toEqual([200, undefined, '/__control/health']);
  });
});

describe('the page', () => {
  test('is suggested for a path that is nearly its own', async () => {
    const detailOf = async (app: Parameters<typeof request>[0]) =>
      (await request(app).get('/__control/uii')).body.detail;
    expect(await detailOf(server.app)).toContain("Did you mean '/__control/ui'?");
    const { app } = await createMockServer({ dataset: 'empty', ui: false });
    expect(await detailOf(app)).not.toContain('Did you mean');
  });

  test('is read with GET alone', async () => {
    const { status, headers, body } = await request(server.app).post('/__control/ui');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(body.detail).toContain('/__control/ui was called with POST; expected GET');
  });
});

describe('GET /__control/openapi.json?of=server', () => {
  test('is the document of a new account, and opens none', async () => {
    const decisions = { 'success-status': 202 } as const;
    const { app, tokens } = await createMockServer({ dataset: 'empty', decisions });
    const { body } = await request(app).get('/__control/openapi.json?of=server');
    expect(body.paths['/contracts/{contractId}'].delete.responses).toHaveProperty('202');
    expect(tokens()).toEqual([]);
  });
});
