import request, { type Test } from 'supertest';
import type { MockServer } from '../../src/index.js';

/** Calls the service as one account. */
export interface Client {
  readonly token: string;
  get(path: string): Test;
  head(path: string): Test;
  delete(path: string): Test;
  /** Posts any JSON. */
  post(path: string, body: unknown): Test;
  deleteEvents(refs: readonly string[]): Test;
  /** Calls deleteEventsByRefs with any JSON body. */
  postRefs(body: unknown): Test;
}

let opened = 0;

/** Creates a client of the server with an unused token, or with the given one. */
export function clientOf(server: MockServer, token = nextToken()): Client {
  const authorized = (test: Test) => test.set('Authorization', `Bearer ${token}`);
  const post = (path: string, body: unknown) =>
    authorized(request(server.app).post(path))
      .set('Content-Type', 'application/json')
      .send(JSON.stringify(body));
  const postRefs = (body: unknown) => post('/events/delete-by-refs', body);
  return {
    token,
    post,
    get: (path) => authorized(request(server.app).get(path)),
    head: (path) => authorized(request(server.app).head(path)),
    delete: (path) => authorized(request(server.app).delete(path)),
    deleteEvents: (refs) => postRefs({ refs }),
    postRefs,
  };
}

function nextToken(): string {
  opened += 1;
  return `test-token-${opened}`;
}
