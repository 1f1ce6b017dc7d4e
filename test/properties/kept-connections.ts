import { Agent, request } from 'node:http';
import { createMockServer, type MockServer, type MockServerOptions } from '../../src/index.js';

interface ReceivedResponse {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** A server that listens, and a fast way to call it for thousands of requests. */
export interface StartedServer extends MockServer {
  call(token: string, method: string, path: string, body?: unknown): Promise<ReceivedResponse>;
}

/** Starts a server that is stopped after all tests of the file. */
export async function startServer(options: MockServerOptions): Promise<StartedServer> {
  const server = await createMockServer(options);
  const url = await server.start();
  const agent = new Agent({ keepAlive: true });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  const call = (token: string, method: string, path: string, body?: unknown) =>
    new Promise<ReceivedResponse>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode, type: response.headers['content-type'], text });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return Object.assign(server, { call });
}
