import request, { type Test } from 'supertest';
import type { MockServer } from '../../src/index.js';
import { type Client, clientOf } from './client.js';

/** Calls the control plane as one account; the paths are those below `/__control`. */
export interface Control {
  readonly token: string;
  /** Calls the service as the same account. */
  readonly service: Client;
  get(path: string): Test;
  post(path: string, body?: unknown): Test;
  put(path: string, body?: unknown): Test;
  patch(path: string, body?: unknown): Test;
  delete(path: string): Test;
}

/** Creates a control client of the server with an unused token, or with the given one. */
export function controlOf(server: MockServer, token?: string): Control {
  const service = clientOf(server, token);
  const call =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete') => (path: string, body?: unknown) => {
      const test = request(server.app)
        [method](`/__control${path}`)
        .set('Authorization', `Bearer ${service.token}`);
      // As text, because supertest would not send values other than objects.
      return body === undefined
        ? test
        : test.set('Content-Type', 'application/json').send(JSON.stringify(body));
    };
  return {
    token: service.token,
    service,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
}
