import { randomBytes } from 'node:crypto';
import type { PreviewServer, ViteDevServer } from 'vite';
import { isLoopback } from '../../core/values/origins.js';
import { createMock } from '../../host/server/mock-server.js';
import { declineH2c } from './decline-h2c.js';
import { mountInVite } from './mount-in-vite.js';
import { printBeside, viteLine } from './print-addresses.js';
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
  const { server, mount, handOverState } = await createMock(
    { ...options, ...(generated !== undefined && { controlToken: generated }) },
    {
      isMounted: true,
      trustsLoopback: generated !== undefined,
      folder: vite.config.root,
      onReload: (changed, mistakes) => tellPages(vite, changed, mistakes),
    },
  );
  await server.start();
  const answerUnknownPaths = mountInVite(vite, mount);
  declineH2c(vite);
  if (options.stateFile !== undefined) handOverAtRestart(vite, handOverState);
  printBeside(vite, given, generated);
  return {
    stop: server.stop,
    explainUnknownPaths: vite.config.appType === 'custom' ? undefined : answerUnknownPaths,
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
    logger.info(viteLine('Billing', `${what} was reloaded.`));
    sockets?.send({ type: 'full-reload' });
    return;
  }
  const message = `${mistakes}\n${what} cannot be used; the earlier records stay.`;
  logger.error(message);
  const err = { message, stack: '', id: changed, plugin: 'usage-billing-mock' };
  sockets?.send({ type: 'error', err });
}

/** The next mock reads the state file before this one stops. What changes between is lost. */
function handOverAtRestart(vite: AnyVite, handOverState: () => void): void {
  if (!('restart' in vite)) return;
  const { restart } = vite;
  vite.restart = async (forceOptimize) => {
    handOverState();
    return restart(forceOptimize);
  };
}
