import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RouteTable } from '../../../core/openapi/route-table.js';
import { fieldsOf } from '../../../mock/service/exchange.js';
import { hasStub, type StubSources } from '../../../mock/service/find-stub.js';
import type { Service } from '../../../mock/service/request-and-response.js';
import { answer, SocketRequest } from './app.js';
import { isHttp2 } from './connections.js';

interface MountParts extends StubSources {
  readonly app: RequestListener;
  readonly service: Service;
  readonly routes: RouteTable;
  readonly basePath: string;
  readonly hasControl: boolean;
  /** True if the option `routes` is given: every path may be one that it answers. */
  readonly hasRoutes: boolean;
}

/** Creates what another server, such as Vite's, needs to serve the mock below its base path. */
export function createMount(parts: MountParts) {
  const { app, service, routes, basePath, hasControl, hasRoutes } = parts;
  const pathBelow = ({ url = '' }: IncomingMessage) => {
    const [path = ''] = url.split('?');
    const rest = path.slice(basePath.length);
    return path.startsWith(basePath) && /^(\/|$)/.test(rest) ? rest : undefined;
  };
  return {
    isBelow: (request: IncomingMessage) => pathBelow(request) !== undefined,
    hasPath(request: IncomingMessage): boolean {
      const path = pathBelow(request);
      if (path === undefined) return false;
      if (hasRoutes || routes.match(path)) return true;
      return (
        (hasControl && /^\/__control(\/|$)/.test(path)) ||
        hasStub(fieldsOf(new SocketRequest(request).headers), path, parts)
      );
    },
    answer(request: IncomingMessage, response: ServerResponse): void {
      if (isHttp2(request)) answer(service, request, response);
      else app(request, response);
    },
  };
}
