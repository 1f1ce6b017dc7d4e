import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { Service, ServiceResponse } from '../service/service.js';
import { deliver } from './deliver.js';
import { SocketRequest } from './socket-request.js';

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  done?: (error?: unknown) => void,
) => void;

/** The app that answers with the service: to be listened with, mounted, or tested with supertest. */
export function createApp(service: Service): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response) => answer(service, request, response));
  const { handle } = app as Express & { readonly handle: Handle };
  const handleAny: Handle = (request, response, done) => {
    // Express answers on its own, with HTML, where it finds no path in a target.
    request.url = originForm(request.url ?? '');
    handle.call(app, request, response, done);
  };
  return Object.assign(app, { handle: handleAny });
}

/** Takes the origin off a proxy's form of the request target (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target of another scheme names nothing here: it is an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}

/** Answers a request of Node with the service. */
export function answer(service: Service, message: IncomingMessage, response: ServerResponse): void {
  const request = new SocketRequest(message);
  let value: ServiceResponse | undefined;
  let hasLeft = false;
  response.once('close', () => {
    hasLeft = true;
    const isDelivered = response.writableFinished;
    if (!isDelivered) request.abort();
    value?.end(isDelivered);
  });
  service(request).then(
    (answered) => {
      value = answered;
      if (hasLeft) value.end(false);
      else deliver(value, message, response);
    },
    // The caller has gone, or a defect of the mock left it nothing to say.
    () => message.socket?.destroy(),
  );
}
