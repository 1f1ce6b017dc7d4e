import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import { createIdleAccounts, type IdleAccounts } from '../accounts/idle-accounts.js';
import { parseDurationMs } from '../billing/duration.js';
import type { Listener } from '../doors/express/listener.js';
import { clearInterval, elapsedMs, setInterval } from '../doors/real-time.js';

/** What happens at intervals while the server listens. */
export interface Watch {
  start(): void;
  stop(): void;
}

/** What is started and stopped, and how. */
interface LifecycleParts {
  readonly watches: readonly Watch[];
  /** Listens, at each start. */
  readonly listen: () => Promise<Listener>;
  /** Ends the calls in process that are under way. */
  readonly endCalls: () => Promise<void>;
}

/** Starting and stopping a mock server. */
export interface Lifecycle {
  /** Where it listens. Throws while it is not started. */
  readonly url: string;
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts and stops listening any number of times, one at a time. */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { watches } = parts;
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;
  return {
    get url() {
      if (!listener) throw new Error('The mock server has no URL yet: call start() first.');
      return listener.url;
    },
    async start() {
      if (listening) throw new Error('The mock server is started already: call stop() first.');
      listening = parts.listen();
      try {
        listener = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      for (const watch of watches) watch.start();
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      for (const watch of watches) watch.stop();
      await Promise.all([parts.endCalls(), stopping?.close()]);
      listening = undefined;
    },
  };
}

/** The error of an address that cannot be listened on, in a sentence that says what to do. */
export function cannotListen(
  error: unknown,
  { host, port }: { host: string; port: number },
): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentence = `Cannot listen on ${host}:${port}: ${REASONS[code ?? ''] ?? message}`;
  return Object.assign(new Error(sentence, { cause: error }), { code });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'the port is in use. Choose another with --port (port in the library), or 0 for a free one.',
  EACCES: 'permission denied. Choose a port above 1023 with --port (port in the library).',
  EADDRNOTAVAIL:
    'this machine does not have the address. Choose another with --host (host in the library).',
  ENOTFOUND: 'unknown host name. Choose another with --host (host in the library).',
};

/** Closes accounts that had no request for the duration, and logs how many; none without one. */
export function closingIdleAccounts(
  accounts: Accounts,
  duration: string | undefined,
  logger: Logger,
): IdleAccounts | undefined {
  if (duration === undefined) return undefined;
  return createIdleAccounts({
    accounts,
    idleMs: parseDurationMs(duration),
    elapsedMs,
    report: (count) =>
      logger.info(
        `Closed ${count} ${count === 1 ? 'account' : 'accounts'} that had no request for ${duration} (--close-idle-after).`,
      ),
  });
}

/** Looks for idle accounts at intervals: where the server listens, no request need come. */
export function watchIdleAccounts({ intervalMs, closeIdle }: IdleAccounts): Watch {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer ??= setInterval(closeIdle, intervalMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
