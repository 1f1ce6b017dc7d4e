import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a service received. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A service that answers as a test decides. */
export interface Service {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Returns a function that starts a service on a free port until the end of the test. */
export function useServices(): (answer: RequestListener) => Promise<Service> {
  const running: Server[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  return async (answer) => {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, authorization: headers.authorization });
      answer(request, response);
    });
    running.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, received };
  };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** The only page of a listing. */
export const ONE_PAGE = {
  measurements: [{ id: 'm1', customerId: 'c1', usageDate: { year: 2026, month: 1, day: 1 } }],
  total: 1,
  hasMore: false,
};
