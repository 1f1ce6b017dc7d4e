import type { IncomingMessage, RequestListener } from 'node:http';
import type { RouteTable } from '../../openapi/route-table.js';
import { fieldsOf } from '../../service/exchange.js';
import { hasStub, type StubSources } from '../../service/find-endpoint.js';
import type { Service } from '../../service/service.js';
import { answer } from './app.js';
import type { HandOver } from './hand-over-interface.js';
import { SocketRequest } from './socket-request.js';

/** Dependencies of the hand-over. */
interface HandOverParts extends StubSources {
  readonly app: RequestListener;
  readonly service: Service;
  readonly routes: RouteTable;
  readonly basePath: string;
  readonly hasControl: boolean;
  /** Whether the option `routes` is given: which paths these answer is known only to them. */
  readonly hasRoutes: boolean;
}

/** Creates what a server needs that serves the mock below its base path. */
export function createHandOver(parts: HandOverParts): HandOver {
  const { app, service, routes, basePath, hasControl, hasRoutes } = parts;
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
      return (
        (hasControl && /^\/__control(\/|$)/.test(path)) ||
        hasStub(fieldsOf(new SocketRequest(request).headers), path, parts)
      );
    },
    answer(request, response) {
      if (request.httpVersionMajor === 2) return answer(service, request, response);
      app(request, response);
    },
  };
}
