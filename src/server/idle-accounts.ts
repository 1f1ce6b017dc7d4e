import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import { createIdleAccounts, type IdleAccounts } from '../accounts/idle-accounts.js';
import { parseDurationMs } from '../billing/duration.js';
import { clearInterval, elapsedMs, setInterval } from '../http/real-time.js';
import type { Watch } from './lifecycle.js';

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
