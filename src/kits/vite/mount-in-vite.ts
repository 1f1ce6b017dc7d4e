import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PreviewServer, ViteDevServer } from 'vite';
import type { Mount } from '../../host/server/mock-interface.js';

/**
 * Lets the mock answer the paths that it has, and Vite the rest. Returns a function that adds a last
 * middleware, which answers unknown paths below the mock's path.
 */
export function mountInVite(
  { middlewares }: Pick<ViteDevServer | PreviewServer, 'middlewares'>,
  mount: Mount,
) {
  leaveCorsToMock(middlewares, mount);
  const urls = new WeakMap<IncomingMessage, string | undefined>();
  middlewares.use((request, response, next) => {
    if (mount.hasPath(request)) return mount.answer(request, response);
    if (mount.isBelow(request)) urls.set(request, request.url);
    next();
  });
  const answerUnknown = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => {
    if (!urls.has(request) || isForPage(request)) return next();
    // Restore the URL, which Vite has rewritten.
    request.url = urls.get(request) ?? '';
    mount.answer(request, response);
  };
  return () => void middlewares.use(answerUnknown);
}

/**
 * Vite's CORS runs before every plugin, answers preflights, and allows localhost alone. On paths of
 * the mock it is left out; the check of hosts stays.
 */
function leaveCorsToMock({ stack }: ViteDevServer['middlewares'], mount: Mount): void {
  const layer = stack.find(({ handle }) => 'name' in handle && handle.name === 'corsMiddleware');
  if (!layer) return;
  const handle = layer.handle as NextHandleFunction;
  layer.handle = (request: IncomingMessage, response: ServerResponse, next: () => void) =>
    mount.hasPath(request) ? next() : handle(request, response, next);
}

type NextHandleFunction = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** Whether a browser asks for a page, as it does for a route of the app. */
function isForPage({ method = '', headers: { accept = '' } }: IncomingMessage): boolean {
  return ['GET', 'HEAD'].includes(method) && accept.includes('text/html');
}
