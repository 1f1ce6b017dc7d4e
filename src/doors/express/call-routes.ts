import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Express } from 'express';
import type { Account } from '../../accounts/account.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { Ready } from '../../service/exchange.js';
import type { CallRoutes, RouteCall } from '../../service/run-operation.js';
import type { Routes, RoutesRouter } from './routes.js';

/** Handles a request of Node; `done` is called if nothing has answered it. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  done?: (error?: unknown) => void,
) => void;

/** Creates what calls the routes of the user. They run on Express, whichever way a request has come. */
export function createRoutes(app: Express, handle: Handle, addRoutes: Routes): CallRoutes {
  const calls = new WeakMap<object, { account: Account; done: (error?: unknown) => void }>();
  const router = express.Router({ caseSensitive: true, strict: true });
  addRoutes(router as unknown as RoutesRouter, {
    accountOf(request) {
      const call = calls.get(request);
      if (call) return call.account;
      throw new TypeError(
        'accountOf() was called with something other than a request; expected the request that your route received.',
      );
    },
  });
  app.use((request, response, next) => {
    const call = calls.get(request);
    if (call) router(request, response, call.done);
    else next();
  });
  return (call) =>
    new Promise((resolve, reject) => {
      const request = requestOf(call);
      const done = (error?: unknown) => {
        if (error === undefined) resolve(undefined);
        else reject(routeFailure(request, error));
      };
      calls.set(request, { account: call.account, done });
      handle.call(app, request, responseTo(request, resolve), done);
    });
}

/** The request as Express reads it; its body has been read. */
function requestOf({ exchange, body }: RouteCall): IncomingMessage {
  const { request, target } = exchange;
  const socket = new Socket();
  Object.defineProperties(socket, {
    remoteAddress: { value: request.caller.address },
    encrypted: { value: request.caller.isEncrypted },
  });
  const message = new IncomingMessage(socket);
  message.method = request.method;
  message.url = target;
  message.httpVersion = request.httpVersion;
  message.rawHeaders = [...request.headers];
  for (const [name, value] of Object.entries(exchange.fields)) message.headers[name] = value;
  message.push(null);
  return Object.assign(message, { body, baseUrl: exchange.basePath });
}

/** A response whose content is kept, for the service to send it. */
function responseTo(request: IncomingMessage, done: (ready: Ready) => void): ServerResponse {
  const response = new ServerResponse(request);
  const pieces: Buffer[] = [];
  const keep = (piece: unknown, encoding: unknown) => {
    const given = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
    if (typeof piece === 'string') pieces.push(Buffer.from(piece, given));
    else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
  };
  // Members of its own: Express changes the prototype.
  return Object.assign(response, {
    writeHead(status: number, ...others: unknown[]) {
      response.statusCode = status;
      const fields = others.find((one) => typeof one === 'object') ?? {};
      for (const [name, value] of Object.entries(fields as object)) response.setHeader(name, value);
      return response;
    },
    flushHeaders: () => undefined,
    write(piece: unknown, encoding?: unknown) {
      keep(piece, encoding);
      return true;
    },
    end(piece?: unknown, encoding?: unknown) {
      keep(piece, encoding);
      const body = pieces.length === 0 ? undefined : Buffer.concat(pieces);
      // The service says how long a body is: a fault may still distort it.
      if (body) response.removeHeader('Content-Length');
      const fields = response.getHeaderNames().map((name) => {
        const value = response.getHeader(name);
        return [name, Array.isArray(value) ? value : String(value)];
      });
      Object.defineProperty(response, 'headersSent', { value: true });
      done({ status: response.statusCode, headers: Object.fromEntries(fields), body });
      response.emit('finish');
      response.emit('close');
      return response;
    },
  });
}

function routeFailure({ method = '', url = '' }: IncomingMessage, thrown: unknown): unknown {
  if (thrown instanceof ProblemError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const [path] = url.split('?');
  return new ProblemError(
    'internal-error',
    `A route in the option 'routes' failed to answer ${method} ${path}: ${why}. The log has the stack.`,
    { cause: thrown },
  );
}
