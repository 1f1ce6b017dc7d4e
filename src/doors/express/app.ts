import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import express, { type Express } from 'express';
import type { CallRoutes } from '../../service/act.js';
import type { Service, ServiceResponse } from '../../service/service.js';
import { createRoutes, type Handle } from './call-routes.js';
import { deliver } from './deliver.js';
import type { Routes } from './routes.js';
import { SocketRequest } from './socket-request.js';

/**
 * The app that answers with the service: to be listened with, mounted, or tested with supertest. The
 * routes of the user run on it, too, when the service calls them.
 */
export function createApp(
  addRoutes: Routes | undefined,
  createService: (callRoutes: CallRoutes | undefined) => Service,
): { readonly app: Express; readonly service: Service } {
  const app = express();
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  for (const setting of ['strict routing', 'case sensitive routing']) app.enable(setting);
  const { handle } = app as Express & { readonly handle: Handle };
  const service = createService(addRoutes && createRoutes(app, handle, addRoutes));
  app.use((request, response) => answer(service, request, response));
  const handleAny: Handle = (request, response, done) => {
    // Express answers on its own, with HTML, where it finds no path in a target.
    request.url = originForm(request.url ?? '');
    handle.call(app, request, response, done);
  };
  return { app: Object.assign(app, { handle: handleAny }), service };
}

/** Takes the origin off a proxy's form of the request target (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target of another scheme names nothing here: it is an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}

/** Whether a stream of HTTP/2 ended with an error (RFC 9113, section 7): Node calls it finished, too. */
function isReset(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response && response.stream.rstCode !== 0;
}

/** Answers a request of Node with the service. */
export function answer(service: Service, message: IncomingMessage, response: ServerResponse): void {
  const request = new SocketRequest(message);
  let value: ServiceResponse | undefined;
  let hasLeft = false;
  response.once('close', () => {
    hasLeft = true;
    const isDelivered = response.writableFinished && !isReset(response);
    if (!isDelivered) request.abort();
    value?.end(isDelivered);
  });
  service(request)
    .then((answered) => {
      value = answered;
      if (hasLeft) value.end(false);
      else deliver(value, message, response);
    })
    // The caller has gone, or a defect of the mock left it nothing to say.
    .catch(() => message.socket?.destroy());
}
