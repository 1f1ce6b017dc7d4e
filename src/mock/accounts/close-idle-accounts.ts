import { count } from '../../core/values/plural.js';
import { parseDurationMs } from '../../core/values/time.js';
import type { Accounts } from './account-registry.js';

/** A request under way; its token is undefined until it is known. */
interface Use {
  readonly token?: string | undefined;
}

interface IdleRules {
  readonly accounts: Pick<Accounts, 'tokens' | 'findById' | 'close'>;
  /** How long an account may be idle, such as `30m`. */
  readonly closeIdleAfter: string;
  /** Monotonic: setting the machine's clock does not affect it. */
  readonly elapsedMs: () => number;
  readonly log: (sentence: string) => void;
}

/** The interval between checks is a tenth of the limit, but within these bounds. */
const MAX_INTERVAL_MS = 60_000;
const MIN_INTERVAL_MS = 10;

export type IdleAccounts = ReturnType<typeof createIdleAccounts>;

/**
 * Tracks when each account was last used, and closes idle ones. An account without a use counts as
 * idle from the first check that finds it.
 */
export function createIdleAccounts(rules: IdleRules) {
  const { accounts, closeIdleAfter, elapsedMs, log } = rules;
  const idleMs = parseDurationMs(closeIdleAfter);
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, Math.ceil(idleMs / 10)));
  // Not a `Set`: each time its table is replaced, the old table keeps its entries alive.
  const underWay: Use[] = [];
  let lastUses = new Map<string, number>();
  let lookedAtMs = elapsedMs();

  function note(tokenOrId: string): void {
    const [token] = accounts.findById(tokenOrId) ?? [tokenOrId];
    lastUses.set(token, elapsedMs());
  }

  function closeIdle(): void {
    lookedAtMs = elapsedMs();
    for (const { token } of underWay) if (token !== undefined) note(token);
    const open = new Map(
      accounts.tokens.map((token) => [token, lastUses.get(token) ?? lookedAtMs]),
    );
    const idle = [...open].filter(([, usedAtMs]) => lookedAtMs - usedAtMs >= idleMs);
    for (const [token] of idle) {
      accounts.close(token);
      open.delete(token);
    }
    lastUses = open;
    if (idle.length === 0) return;
    log(
      `Closed ${count(idle.length, 'account')} that had no request for ${closeIdleAfter} (--close-idle-after).`,
    );
  }

  return {
    /** How often to call `closeIdle`. After this time, `begin` calls it too. */
    intervalMs,
    /** Marks a request as begun: its account stays open until `end` is called with the request. */
    begin(use: Use): void {
      underWay.push(use);
      if (elapsedMs() - lookedAtMs >= intervalMs) closeIdle();
    },
    end(use: Use): void {
      underWay.splice(underWay.indexOf(use), 1);
      if (use.token !== undefined) note(use.token);
    },
    note,
    closeIdle,
  };
}
