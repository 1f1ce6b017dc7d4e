import { existsSync } from 'node:fs';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { useCommands } from '../support/command.js';

const dataset = 'empty';
const server = await createMockServer({ dataset });
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the files of the page', () => {
  test.each([
    ['/__control/ui', 'text/html'],
    ['/__control/ui/page.js', 'text/javascript'],
    ['/__control/ui/page.css', 'text/css'],
  ])('%s needs no token, and may run nothing but its own code', async (path, type) => {
    const guarded = await createMockServer({ dataset, controlToken: 'secret' });
    for (const { app } of [server, guarded]) {
      const { status, headers } = await request(app).get(path).set('Host', 'any.example');
      expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(server.tokens()).toEqual([]);
    expect(server.journal.count()).toBe(0);
  });

  test('have neither an inline script nor an inline style', async () => {
    const { text } = await request(server.app).get('/__control/ui');
    expect(text).not.toMatch(/<style|<script(?![^>]* src=)|style=| on\w+=/);
    expect(text).not.toMatch(/https?:/);
  });

  test('have at most 150 kB together, as they are compressed', async () => {
    const { gzipSync } = await import('node:zlib');
    const texts = await Promise.all(
      ['', '/page.js', '/page.css'].map(async (file) => {
        const { text, body } = await request(server.app).get(`/__control/ui${file}`);
        return gzipSync(text ?? body).length;
      }),
    );
    expect(texts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(150_000);
  });

  test.each(['/__control/ui/index.html', '/__control/ui/..%2fpackage.json', '/__control/ui/x'])(
    '%s is none of them',
    async (path) => expect((await request(server.app).get(path)).status).toBe(404),
  );

  test('are left out with `ui: false`', async () => {
    expect(existsSync('dist/page/index.html')).toBe(true);
    const { app } = await createMockServer({ dataset, ui: false });
    expect((await request(app).get('/__control/ui')).status).toBe(404);
    expect((await request(app).get('/__control/health')).status).toBe(200);
    expect((await request(app).get('/').set('Accept', HTML)).status).toBe(404);
  });
});

describe('GET /', () => {
  test('sends a browser to the page, and notes nothing', async () => {
    const { app, journal } = await createMockServer({ dataset });
    const { status, headers } = await request(app).get('/').set('Accept', HTML);
    expect([status, headers.location]).toEqual([302, '/__control/ui']);
    expect(journal.count()).toBe(0);
  });

  test.each(['/', '/v1', '/v1/'])('below a base path sends it there too, from %s', async (path) => {
    const { app } = await createMockServer({ dataset, basePath: '/v1' });
    const { headers } = await request(app).get(path).set('Accept', HTML);
    expect(headers.location).toBe('/v1/__control/ui');
    expect((await request(app).get('/v1/__control/ui')).status).toBe(200);
  });

  test('names the page to other clients', async () => {
    const { status, body } = await request(server.app).get('/');
    expect([status, body.detail]).toEqual([404, expect.stringContaining('/__control/ui')]);
    const bare = await createMockServer({ dataset, control: false });
    const without = await request(bare.app).get('/').set('Accept', HTML);
    expect([without.status, without.body.detail]).toEqual([
      404,
      expect.not.stringContaining('/__control/ui'),
    ]);
  });

  test('is answered by a stub, if there is one', async () => {
    const stubs = [{ method: 'GET' as const, path: '/', body: { own: true } }];
    const { app } = await createMockServer({ dataset, stubs });
    expect((await request(app).get('/').set('Accept', HTML)).body).toEqual({ own: true });
  });
});

describe('the command', () => {
  const start = useCommands();

  test('prints no token that it was given', async () => {
    const { command, url } = await start(['--control-token', 'given-token']);
    expect(command.stderr()).toContain(`Page     ${url}/__control/ui\n`);
    expect(command.stderr()).not.toContain('given-token');
  });

  test('has no page with --no-ui', async () => {
    const { command, url } = await start(['--no-ui']);
    expect(command.stderr()).not.toContain('__control/ui');
    expect((await fetch(`${url}/__control/ui`)).status).toBe(404);
  });
});
