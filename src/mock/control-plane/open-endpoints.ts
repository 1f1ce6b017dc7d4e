import { ProblemError } from '../../core/errors/problem-error.js';
import { vary } from '../service/cross-origin.js';
import type { Exchange, Step } from '../service/exchange.js';
import { respond, respondJson } from '../service/respond.js';
import { answerOptions, isOfBrowser } from '../service/unknown-path-or-method.js';

/** The operations that anyone may call, with their paths. */
export const OPEN_ENDPOINTS = {
  getStart: '/',
  getHealth: '/health',
  getReadiness: '/ready',
} as const;

/** Answers health and readiness before any check, so that a container can be probed. */
export function answerHealth(version: string): Step {
  return (exchange) => {
    const { path } = exchange;
    const isHealth = path === OPEN_ENDPOINTS.getHealth || path === OPEN_ENDPOINTS.getReadiness;
    if (isHealth && isRead(exchange)) respondJson(exchange, 200, { status: 'ok', version });
  };
}

/** Says where to go next, without a token; redirects a browser to the page, if there is one. */
export function answerStart(hasPage: boolean): Step {
  return (exchange) => {
    const { path, basePath } = exchange;
    if (path !== OPEN_ENDPOINTS.getStart || !isRead(exchange)) return;
    const page = basePath + PAGE_PATH;
    vary(exchange, 'Accept');
    if (hasPage && isOfBrowser(exchange)) return respond(exchange, 302, { Location: page });
    respondJson(exchange, 200, {
      health: basePath + OPEN_ENDPOINTS.getHealth,
      document: `${basePath}/control.openapi.json`,
      ...(hasPage && { page }),
    });
  };
}

function isRead({ method }: Exchange): boolean {
  return ['GET', 'HEAD'].includes(method);
}

/** Reads a file of the page; undefined if it was not built. */
export type ReadPageFile = (name: string) => Uint8Array | undefined;

/** The path of the page, below that of the control plane. */
export const PAGE_PATH = '/ui';

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  [PAGE_PATH]: ['index.html', 'text/html; charset=utf-8'],
  '/ui/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/ui/page.js': ['page.js', 'text/javascript; charset=utf-8'],
};

/** The page runs only its own code, calls only the mock, and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Serves the files of the page without a token; reads each when it is first requested. */
export function servePage(readFile: ReadPageFile): Step {
  const texts = new Map<string, Uint8Array>();
  return (exchange) => {
    const { path, method } = exchange;
    if (isRead(exchange) && path === '/ui/') return respond(exchange, 308, { Location: '../ui' });
    const [file, type] = Object.hasOwn(FILES, path) ? (FILES[path] ?? []) : [];
    if (file === undefined || type === undefined) return;
    if (method === 'OPTIONS') return answerOptions(exchange, METHODS);
    if (!isRead(exchange)) throw unreadable(exchange);
    const text = texts.get(file) ?? readFile(file);
    if (text === undefined) return;
    texts.set(file, text);
    respond(exchange, 200, { ...HEADERS, 'Content-Type': type }, text);
  };
}

function unreadable({ basePath, path, method }: Exchange): ProblemError {
  return new ProblemError(
    'method-not-allowed',
    `${basePath}${path} was called with ${method}; expected GET. This path serves the page to browsers.`,
    { headers: { Allow: METHODS.join(', ') } },
  );
}
