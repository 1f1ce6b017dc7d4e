import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { styleText } from 'node:util';
import type { PreviewServer, ViteDevServer } from 'vite';
import { OPTIONS } from '../../options/option-table.js';
import type { Mount } from '../../server/mock-interface.js';
import { createMountedMock } from '../../server/mock-server.js';
import { isLoopback } from '../../service/origins.js';
import { mountedOptions, type ViteMockOptions } from './vite-options.js';

type AnyVite = ViteDevServer | PreviewServer;

interface ServedMock {
  stop(): Promise<void>;
  /**
   * Adds a final middleware that answers unknown paths below the mock's path, where Vite would send
   * its page or a 404 without a reason. Undefined if the user's own server may still answer them.
   */
  readonly explainUnknownPaths: (() => void) | undefined;
}

/** Shared by all servers of this process, so that a restart of Vite does not change the token. */
const GENERATED_TOKEN = randomBytes(18).toString('base64url');

/** Mounts a mock on a Vite server that will listen on `host`. */
export async function serveMock(
  vite: AnyVite,
  host: string | boolean | undefined,
  given: ViteMockOptions,
): Promise<ServedMock> {
  const options = mountedOptions(given);
  const isReachable = host === true || (typeof host === 'string' && !isLoopback(host));
  const generated =
    isReachable && options.control !== false && options.controlToken === undefined
      ? GENERATED_TOKEN
      : undefined;
  const { server, mount, saveState } = await createMountedMock(
    { ...options, ...(generated !== undefined && { controlToken: generated }) },
    {
      trustsLoopback: generated !== undefined,
      folder: vite.config.root,
      onReload: (changed, mistakes) => tellPages(vite, changed, mistakes),
    },
  );
  await server.start();
  const passOn = passOnTo(vite, mount);
  saveBeforeRestart(vite, saveState);
  printBeside(vite, given, generated);
  return {
    stop: server.stop,
    explainUnknownPaths: vite.config.appType === 'custom' ? undefined : passOn,
  };
}

/**
 * After a file has changed, reloads the pages of `vite dev`; if the file has mistakes, shows them
 * there and in the terminal instead.
 */
function tellPages(vite: AnyVite, changed: string, mistakes: string | undefined): void {
  const { logger } = vite.config;
  const what = `${changed} has changed and`;
  const sockets = 'ws' in vite ? vite.ws : undefined;
  if (mistakes === undefined) {
    logger.info(line('Billing', `${what} was reloaded.`));
    sockets?.send({ type: 'full-reload' });
    return;
  }
  const message = `${mistakes}\n${what} cannot be used; the earlier records stay.`;
  logger.error(message);
  const err = { message, stack: '', id: changed, plugin: 'usage-billing-mock' };
  sockets?.send({ type: 'error', err });
}

/** Saves the state before Vite restarts: the next mock reads it before this one stops. */
function saveBeforeRestart(vite: AnyVite, saveState: () => Promise<void>): void {
  if (!('restart' in vite)) return;
  const { restart } = vite;
  vite.restart = async (forceOptimize) => {
    await saveState();
    return restart(forceOptimize);
  };
}

/** Lets the mock answer the paths that it has, and Vite the rest. Returns `explainUnknownPaths`. */
function passOnTo({ middlewares }: Pick<AnyVite, 'middlewares'>, mount: Mount) {
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

/** Whether a browser asks for a page, as it does for a route of the app. */
function isForPage({ method = '', headers: { accept = '' } }: IncomingMessage): boolean {
  return ['GET', 'HEAD'].includes(method) && accept.includes('text/html');
}

/**
 * Prints the mock's address, and its generated control token, below Vite's own URLs. In middleware
 * mode, prints the path at once, because another server listens.
 */
function printBeside(vite: AnyVite, options: ViteMockOptions, token: string | undefined): void {
  const { printUrls } = vite;
  const print = (origin: string) => {
    for (const line of linesOf(origin, options, token)) vite.config.logger.info(line);
  };
  if (vite.config.server.middlewareMode) print('');
  vite.printUrls = () => {
    printUrls();
    const [url] = [...(vite.resolvedUrls?.local ?? []), ...(vite.resolvedUrls?.network ?? [])];
    print(url === undefined ? '' : new URL(url).origin);
  };
}

function linesOf(
  origin: string,
  { path, dataset, control, ui }: ViteMockOptions,
  token: string | undefined,
): string[] {
  const url = origin + path;
  const hasControl = control !== false;
  const controlled = hasControl ? `, control plane ${url}/__control` : '';
  const about = `(dataset ${dataset ?? OPTIONS.dataset.default}${controlled})`;
  return [
    line('Billing', `${painted('cyan', url)} ${about}`),
    hasControl && ui !== false && line('Page', painted('cyan', `${url}/__control/ui`)),
    token !== undefined && line('Control', `X-Control-Token: ${token} (for other machines)`),
  ].filter((text) => text !== false);
}

function line(label: string, text: string): string {
  return `  ${painted('green', '➜')}  ${painted('bold', label)}: ${text}`;
}

function painted(format: 'bold' | 'cyan' | 'green', text: string): string {
  return process.stdout.hasColors?.() ? styleText(format, text) : text;
}
