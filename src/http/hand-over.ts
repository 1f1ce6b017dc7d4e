import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteTable } from '../openapi/route-table.js';
import { answerHttp2 } from './answer-http2.js';
import type { HandOver } from './hand-over-interface.js';
import { hasStub, type StubSources } from './pipeline/answer-stub/match-stub.js';

/** Dependencies of the hand-over. */
interface HandOverParts extends StubSources {
  readonly app: RequestListener;
  /** A server of the app that does not listen. */
  readonly inProcess: Server;
  readonly routes: RouteTable;
  readonly basePath: string;
  readonly hasControl: boolean;
  /** Whether the option `routes` is given: which paths these answer is known only to them. */
  readonly hasRoutes: boolean;
}

/** Creates what a server needs that serves the mock below its base path. */
export function createHandOver(parts: HandOverParts): HandOver {
  const { app, inProcess, routes, basePath, hasControl, hasRoutes } = parts;
  const pathBelow = ({ url = '' }: IncomingMessage) => {
    const [path = ''] = url.split('?');
    const rest = path.slice(basePath.length);
    return path.startsWith(basePath) && /^(\/|$)/.test(rest) ? rest : undefined;
  };
  return {
    isBelow: (request) => pathBelow(request) !== undefined,
    hasPath(request) {
      const path = pathBelow(request);
      if (path === undefined) return false;
      if (hasRoutes || routes.match(path)) return true;
      return (hasControl && /^\/__control(\/|$)/.test(path)) || hasStub(request, path, parts);
    },
    answer(request, response) {
      if (request.httpVersionMajor === 2) return void answerHttp2(inProcess, request, response);
      letTlsBeReset(request.socket);
      app(request, response);
    },
  };
}

/** Node refuses to reset a TLS connection, for a fault: what is below it is known to its server. */
function letTlsBeReset(socket: Socket): void {
  if ('encrypted' in socket) socket.resetAndDestroy = () => socket.destroy();
}
