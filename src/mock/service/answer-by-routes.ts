import { ProblemError } from '../../core/errors/problem-error.js';
import { isFraming } from '../../core/stubs/header-fields.js';
import { shown } from '../../core/values/received-value.js';
import type { AdmittedExchange, Exchange, Ready, Step } from './exchange.js';
import { contentIn, type HeaderFields, schemeOf } from './request-and-response.js';
import { MOUNT_HANDLERS, type Routes } from './routes.js';

/** A request that `routes` does not answer is treated like any other unknown path or method. */
export function answerByRoutes(
  routes: Routes,
  maxBytes: number,
  answerUncalled: Step,
): Step<AdmittedExchange> {
  return async (exchange) => {
    exchange.ready = await callRoutes(routes, exchange, maxBytes);
    if (!exchange.ready) await answerUncalled(exchange);
  };
}

async function callRoutes(
  routes: Routes,
  exchange: AdmittedExchange,
  maxBytes: number,
): Promise<Ready | undefined> {
  const { account, request } = exchange;
  const { signal } = request;
  signal.throwIfAborted();
  try {
    const response = await new Promise<Response | undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      Promise.resolve(routes(requestOf(exchange), { account })).then(resolve, reject);
    });
    return response === undefined ? undefined : await readyOf(response, signal, maxBytes);
  } catch (thrown) {
    signal.throwIfAborted();
    throw failureOf(exchange, thrown);
  }
}

/** The `Request` for `routes`; its body has already been read and decoded. */
function requestOf({ request, fields, basePath, target, body }: Exchange): Request {
  const { method, signal, caller } = request;
  const url = new URL(`${schemeOf(caller)}://localhost${basePath}${target}`);
  // The setter ignores an invalid Host; the constructor would throw.
  url.host = fields.host ?? '';
  const headers = new Headers();
  for (let index = 0; index < request.headers.length; index += 2) {
    headers.append(request.headers[index] ?? '', request.headers[index + 1] ?? '');
  }
  for (const name of [...headers.keys()]) {
    if (isFraming(name) || name === 'content-encoding') headers.delete(name);
  }
  const isSent = body instanceof Uint8Array && method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, signal, body: isSent ? new Uint8Array(body) : null });
}

/** Leaves out Content-Length, since a fault may still change the body. */
async function readyOf(response: Response, signal: AbortSignal, maxBytes: number): Promise<Ready> {
  // Not `instanceof`: a library or a test runner may have its own `Response` class.
  if (Object.prototype.toString.call(response) !== '[object Response]') {
    throw new Error(`it returned ${shown(response)}; expected a Response or undefined`);
  }
  const { status, headers, body, bodyUsed, type } = response;
  if (status === 0) throw new Error('it returned Response.error(); expected one with a status');
  if (bodyUsed) throw new Error('it returned a Response whose body was read; expected a new one');
  // `fetch` decodes a body but keeps Content-Encoding; a constructed Response is still encoded.
  const isDecoded = type !== 'default';
  const isKept = ([name]: readonly [string, string]) =>
    !isFraming(name) && !(isDecoded && name === 'content-encoding');
  const fields: HeaderFields = Object.fromEntries([...headers].filter(isKept));
  const cookies = headers.getSetCookie();
  return {
    status,
    headers: cookies.length > 0 ? { ...fields, 'set-cookie': cookies } : fields,
    body: body ? await contentIn(body, signal, maxBytes) : undefined,
  };
}

/** Messages that Express handlers typically cause when they are called with a `Request`. */
const MISTAKEN = /not a function|undefined|null/;

function failureOf({ method, path }: Exchange, thrown: unknown): unknown {
  if (thrown instanceof ProblemError) return thrown;
  // Some messages include a stack below the first line.
  const [line = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  const why = line.replace(/\.$/, '') || 'it threw an error without a message';
  const isMistaken = thrown instanceof TypeError && MISTAKEN.test(why);
  return new ProblemError(
    'internal-error',
    `The option 'routes' failed to answer ${method} ${path}: ${why}. ${isMistaken ? `Is it written for Express? ${MOUNT_HANDLERS} ` : ''}The log has the stack, unless logLevel is silent.`,
    { cause: thrown },
  );
}
