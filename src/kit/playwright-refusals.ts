import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy that refuses every request, and says so. */
export interface RefusingProxy {
  readonly url: string;
  stop(): void;
}

/**
 * Starts a proxy for what is neither intercepted nor bypasses it. Unlike a route it also sees what
 * redirects, WebSockets, service workers and `page.request` lead to.
 */
export async function startRefusingProxy(): Promise<RefusingProxy> {
  const server = createServer((request, response) => {
    const sentence = refuse(`${request.method} ${request.url}`);
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end(sentence);
  });
  // What is encrypted, and WebSockets: the path is not known here.
  server.on('connect', (request, socket: Socket) => {
    refuse(`a connection to ${request.url}`);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refuse(what: string): string {
  const sentence = `usage-billing-mock: refused ${what}: billingOptions has onlyMock, which allows intercepted requests and the hosts of the mock, 'app' and 'baseURL'. Intercept it, or answer it with page.route.\n`;
  process.stderr.write(sentence);
  return sentence;
}
