import { jest } from '@jest/globals';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

/** Another app in this process that uses the same library for its own document. */
function otherApp(paths: object) {
  const app = express();
  const apiSpec = { openapi: '3.0.3', info: { title: 'Other', version: '1' }, paths };
  app.use(middleware({ apiSpec: apiSpec as never, validateApiSpec: true }));
  app.get('/pets', (_request, response) => void response.json({ pets: [] }));
  const toText: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).json({ message: error.message });
  };
  return app.use(toText);
}

const PETS = { '/pets': { get: { responses: { 200: { description: 'All pets.' } } } } };
const BROKEN = { '/pets': { get: { responses: { 200: { describtion: 'All pets.' } } } } };

describe('another app of the process that uses express-openapi-validator', () => {
  beforeAll(async () => {
    const server = await createMockServer();
    expect((await clientOf(server).get('/measurements')).status).toBe(200);
  });

  test('still has a broken document refused', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { status, body } = await request(otherApp(BROKEN)).get('/pets');
    const logged = log.mock.calls.flat().join();
    log.mockRestore();
    expect(status).toBe(500);
    expect(body.message).toContain('apiDoc was invalid');
    expect(logged).toContain('describtion');
  });

  test('still has a sound one accepted', async () => {
    const { status, body } = await request(otherApp(PETS)).get('/pets');
    expect([status, body]).toEqual([200, { pets: [] }]);
  });
});
