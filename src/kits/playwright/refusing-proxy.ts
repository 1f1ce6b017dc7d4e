import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { BrowserContextOptions } from '@playwright/test';

/**
 * Starts a proxy that refuses and logs every request that reaches it. Unlike a route, it also
 * catches redirects, WebSockets, service workers and `page.request`.
 */
export async function startRefusingProxy() {
  const server = createServer((request, response) => {
    const sentence = refuse(`${request.method} ${request.url}`);
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end(sentence);
  });
  // For TLS and WebSockets, only the host is known here.
  server.on('connect', (request, socket: Socket) => {
    refuse(`a connection to ${request.url}`);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    /** The value for Playwright's `proxy` that refuses everything except the hosts of these URLs. */
    except(urls: readonly string[]): NonNullable<BrowserContextOptions['proxy']> {
      const hosts = urls.map((url) => new URL(url).hostname);
      const { port } = server.address() as AddressInfo;
      // Otherwise Chromium would let every loopback address bypass the proxy.
      const bypass = ['<-loopback>', ...hosts].join();
      return { server: `http://127.0.0.1:${port}`, bypass };
    },
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refuse(what: string): string {
  const sentence = `usage-billing-mock: refused ${what}: billingOptions has onlyMock, which allows intercepted requests and the hosts of the mock, 'app' and 'baseURL'. Intercept the request, or answer it with page.route.\n`;
  process.stderr.write(sentence);
  return sentence;
}
