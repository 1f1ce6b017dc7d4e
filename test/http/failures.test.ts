import { jest } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { createMockServer, type MockServer, ProblemError } from '../../src/index.js';

const TOKEN = { Authorization: 'Bearer t' };
const PROBLEM = {
  type: 'urn:usage-billing-mock:problem:internal-error',
  title: 'Internal error',
  status: 500,
  detail:
    'The mock failed while answering; its log has the cause, unless logLevel is silent. Please report it.',
};

const written: string[] = [];
let failures = 0;

/** What the mock logs; the first lines are lost, as many as `failures`. */
beforeEach(() => {
  written.length = 0;
  jest.spyOn(process.stderr, 'write').mockImplementation((line) => {
    if (failures-- > 0) throw new Error('the log is full');
    return written.push(String(line)) > 0;
  });
});
afterEach(() => jest.restoreAllMocks());

const logged = () => written.join('');

/** A mock whose error has a mistake that cannot be written. */
const breaking = () =>
  createMockServer({
    logLevel: 'info',
    routes() {
      const path = [7] as unknown as string[];
      throw new ProblemError('invalid-request', 'Odd.', {
        mistakes: [{ path, expected: 'a', received: 1 }],
      });
    },
  });

/** Every way to reach a mock without a socket of its own, with what is read. */
const doors = {
  async express(server: MockServer, path: string) {
    const { status, body, headers } = await request(server.app).get(path).set(TOKEN);
    return [status, body, headers['content-type']];
  },
  async fetch(server: MockServer, path: string) {
    const response = await server.fetch(path, { headers: TOKEN });
    const { status, headers } = response;
    return [status, await response.json(), headers.get('content-type')];
  },
};

describe.each(['express', 'fetch'] as const)('by %s', (door) => {
  test('an error that cannot be written is a plain problem, and its stack is logged', async () => {
    const server = await breaking();
    expect(await doors[door](server, '/mine')).toEqual([500, PROBLEM, 'application/problem+json']);
    expect(logged()).toContain('The mock failed while answering this request. Please report it.');
    expect(logged()).toMatch(/TypeError.*\n +at /);
    expect(logged()).not.toContain('closed first');
    expect((await doors[door](server, '/measurements?limit=1'))[0]).toBe(200);
  });

  test('a log that fails changes no response, and is told as soon as it works again', async () => {
    const server = await createMockServer({ logLevel: 'info' });
    failures = 1;
    expect((await doors[door](server, '/measurements?limit=1'))[0]).toBe(200);
    expect(logged()).toMatch(/the log is full\n +at /);
  });
});

describe('behind middleware', () => {
  test('that lets no head be written once, the response is a plain problem', async () => {
    const server = await createMockServer({ logLevel: 'info' });
    const outer = express().use((_request, response, next) => {
      const { writeHead } = response;
      response.writeHead = () => {
        response.writeHead = writeHead;
        throw new Error('no head today');
      };
      next();
    });
    const { status, body } = await request(outer.use(server.app)).get('/measurements').set(TOKEN);
    expect([status, body]).toEqual([500, PROBLEM]);
    expect(logged()).toMatch(/no head today\n +at /);
    expect(logged()).not.toContain('closed first');
  });

  test('that has sent a head already, the connection closes, and the log says why', async () => {
    const server = await createMockServer({ logLevel: 'info' });
    const outer = express().use((_request, response, next) => {
      response.writeHead(200);
      response.flushHeaders();
      next();
    });
    const call = request(outer.use(server.app)).get('/measurements').set(TOKEN);
    await expect(call).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    expect(logged()).toMatch(/Cannot (write|set) headers after they are sent/);
    expect(logged()).not.toContain('closed first');
  });
});
