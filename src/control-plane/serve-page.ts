import type { RequestHandler } from 'express';

/** Reads a file of the page; undefined if it was not built. */
export type ReadPageFile = (name: string) => Buffer | undefined;

/** The files of the page by their paths, with their media types. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/ui': ['index.html', 'text/html; charset=utf-8'],
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

/** Serves the files of the page, which need no token; they are read when they are first asked for. */
export function servePage(readFile: ReadPageFile): RequestHandler {
  const texts = new Map<string, Buffer | undefined>();
  return (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    if (request.path === '/ui/') return response.redirect(308, '../ui');
    const [file, type] = Object.hasOwn(FILES, request.path) ? (FILES[request.path] ?? []) : [];
    if (file === undefined) return next();
    const text = texts.get(file) ?? readFile(file);
    if (text === undefined) return next();
    texts.set(file, text);
    response.set({ ...HEADERS, 'Content-Type': type }).send(text);
  };
}
