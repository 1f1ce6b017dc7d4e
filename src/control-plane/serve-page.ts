import type { Request, RequestHandler } from 'express';
import { ProblemError } from '../errors/problem-error.js';
import { answerOptions } from '../http/pipeline/allowed-methods.js';

/** Reads a file of the page; undefined if it was not built. */
export type ReadPageFile = (name: string) => Buffer | undefined;

/** Where the page is, below the path of the control plane. */
export const PAGE_PATH = '/ui';

/** The files of the page by their paths, with their media types. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  [PAGE_PATH]: ['index.html', 'text/html; charset=utf-8'],
  '/ui/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/ui/page.js': ['page.js', 'text/javascript; charset=utf-8'],
};

/** The page runs its own code alone, calls nothing but the mock, and is shown in no other page. */
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

/** Serves the files of the page, which need no token; they are read when they are first asked for. */
export function servePage(readFile: ReadPageFile): RequestHandler {
  const texts = new Map<string, Buffer | undefined>();
  return (request, response, next) => {
    const [file, type] = Object.hasOwn(FILES, request.path) ? (FILES[request.path] ?? []) : [];
    const isRead = ['GET', 'HEAD'].includes(request.method);
    if (isRead && request.path === '/ui/') return response.redirect(308, '../ui');
    if (file === undefined) return next();
    if (request.method === 'OPTIONS') return answerOptions(response, METHODS);
    if (!isRead) throw unreadable(request);
    const text = texts.get(file) ?? readFile(file);
    if (text === undefined) return next();
    texts.set(file, text);
    response.set({ ...HEADERS, 'Content-Type': type }).send(text);
  };
}

function unreadable({ baseUrl, path, method }: Request): ProblemError {
  return new ProblemError(
    'method-not-allowed',
    `${baseUrl}${path} was called with ${method}; expected GET. It is a file of the page, for a browser.`,
    { headers: { Allow: METHODS.join(', ') } },
  );
}
