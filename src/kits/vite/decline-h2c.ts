import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PreviewServer, ViteDevServer } from 'vite';

/** Header fields of the offer to change the protocol, which goes no further than this connection. */
const OFFER = ['connection', 'http2-settings', 'upgrade'];

/**
 * Answers clients that offer HTTP/2 without TLS over HTTP/1.1; the JDK's client does so by default.
 * Where Vite listens for WebSockets, Node hands it every request with an `Upgrade`, and nobody
 * would answer this one.
 */
export function declineH2c({ httpServer }: Pick<ViteDevServer | PreviewServer, 'httpServer'>) {
  httpServer?.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
    if (!/\bh2c\b/i.test(request.headers.upgrade ?? '')) return;
    socket.unshift(Buffer.concat([headWithoutOffer(request), rest]));
    httpServer.emit('connection', socket);
  });
}

function headWithoutOffer({ method, url, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OFFER.includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
