import type { RequestListener, ServerOptions } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/** What https is served with. */
export interface Certificate {
  /** The certificate, and those between it and its authority, in PEM. */
  readonly cert: string;
  /** Its private key, in PEM. */
  readonly key: string;
  /** Whether it is valid for the address or the host name. */
  covers(host: string): boolean;
}

/** Creates a server of https. Its module is loaded by those that need it alone. */
export function createSecureServer(
  { cert, key }: Certificate,
  options: ServerOptions,
  app: RequestListener,
): Server {
  const { createServer } = process.getBuiltinModule('node:https');
  return createServer({ ...options, cert, key }, app);
}

/**
 * Finds the connection below a TLS socket, which Node hides. Only that one can be reset, or answer a
 * client that speaks plain HTTP. Makes the TLS sockets of the server ones that can be reset.
 */
export function findConnections(server: Server): (secured: Socket) => Socket | undefined {
  const connections = new Map<string, Socket>();
  const find = (secured: Socket) => connections.get(endsOf(secured));
  server.on('connection', (connection: Socket) => {
    const ends = endsOf(connection);
    connections.set(ends, connection);
    connection.once('close', () => {
      if (connections.get(ends) === connection) connections.delete(ends);
    });
  });
  server.on('secureConnection', (secured: Socket) => {
    Object.assign(secured, { resetAndDestroy: () => find(secured)?.resetAndDestroy() });
  });
  return find;
}

/** Both sockets have the same ends, and no others have them as long as they are open. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
