import type { Accounts } from './accounts.js';

/** What of a request says which account it uses: its token, once that is known. */
interface Use {
  readonly token?: string | undefined;
}

/** What decides when an account is idle. */
interface IdleRules {
  readonly accounts: Pick<Accounts, 'tokens' | 'close'>;
  readonly idleMs: number;
  /** Reads a clock that nobody sets. */
  readonly elapsedMs: () => number;
  /** Called with how many were closed, if there were any. */
  readonly report: (count: number) => void;
}

/** The longest and the shortest time between two looks; between them it is a tenth of the limit. */
const LONGEST_INTERVAL_MS = 60_000;
const SHORTEST_INTERVAL_MS = 10;

/** Closes the accounts that nothing uses. */
export type IdleAccounts = ReturnType<typeof createIdleAccounts>;

/** Watches how long each account has not been used. One that only the library has is idle when first seen. */
export function createIdleAccounts(rules: IdleRules) {
  const { accounts, idleMs, elapsedMs, report } = rules;
  const intervalMs = Math.min(
    LONGEST_INTERVAL_MS,
    Math.max(SHORTEST_INTERVAL_MS, Math.ceil(idleMs / 10)),
  );
  // No set: the tables that one outgrows keep what was in them.
  const underWay: Use[] = [];
  let lastUses = new Map<string, number>();
  let lookedAtMs = elapsedMs();

  /** Notes that the account of the token is used now. */
  function note(token: string): void {
    lastUses.set(token, elapsedMs());
  }

  /** Closes those that have been idle for long enough. */
  function closeIdle(): void {
    lookedAtMs = elapsedMs();
    for (const { token } of underWay) if (token !== undefined) note(token);
    const open = new Map(
      accounts.tokens().map((token) => [token, lastUses.get(token) ?? lookedAtMs]),
    );
    const idle = [...open].filter(([, usedAtMs]) => lookedAtMs - usedAtMs >= idleMs);
    for (const [token] of idle) {
      accounts.close(token);
      open.delete(token);
    }
    lastUses = open;
    if (idle.length > 0) report(idle.length);
  }

  return {
    /** How often to look for them; a request looks for them as well, if it is time. */
    intervalMs,
    /** Notes that a request has begun: until the returned function is called, its account stays. */
    begin(use: Use): () => void {
      underWay.push(use);
      if (elapsedMs() - lookedAtMs >= intervalMs) closeIdle();
      return () => {
        underWay.splice(underWay.indexOf(use), 1);
        if (use.token !== undefined) note(use.token);
      };
    },
    note,
    closeIdle,
  };
}
