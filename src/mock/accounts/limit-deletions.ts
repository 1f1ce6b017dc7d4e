import { count } from '../../core/values/plural.js';
import type { Accounts } from './account-registry.js';

interface DeletionRules {
  readonly accounts: Pick<Accounts, 'entries' | 'close'>;
  /** How many deletions all accounts keep before idle ones are closed. */
  readonly most: number;
  /** How long an account must have been without a request to be closed, in minutes. */
  readonly idleMinutes: number;
  readonly warn: (sentence: string) => void;
}

/**
 * Deletions by the service are never refused. When all accounts together keep too many, those that
 * are idle are closed, the one that was used least recently first. Returns the function to call
 * after so many deletions.
 */
export function createDeletionLimit(rules: DeletionRules): (deletions: number) => void {
  const { accounts, most, idleMinutes, warn } = rules;
  /** What the last count found, and the deletions since; not yet those that accounts opened with. */
  let kept = 0;
  let countAgainAt = most;
  let hasWarned = false;

  function makeRoom(): void {
    const keeping = [...accounts.entries].filter(([, { store }]) => store.deletions > 0);
    kept = keeping.reduce((sum, [, { store }]) => sum + store.deletions, 0);
    const idleSince = Date.now() - idleMinutes * 60_000;
    const idle = keeping
      .filter(([, { journal }]) => !journal.isInUse && lastUse(journal) < idleSince)
      .sort(([, one], [, other]) => lastUse(one.journal) - lastUse(other.journal));
    for (const [token, { owner, store }] of idle) {
      if (kept <= most) break;
      const { deletions } = store;
      accounts.close(token);
      kept -= deletions;
      warn(
        `Closed the account ${owner.name} with its ${count(deletions, 'deletion')}: it had no request for ${count(idleMinutes, 'minute')}, and all accounts together kept more than ${shown(most)} deletions.`,
      );
    }
    // Not at every deletion, because counting takes a while.
    countAgainAt = Math.max(most, kept + most / 100);
    if (kept <= most || hasWarned) return;
    hasWarned = true;
    warn(
      `All accounts together keep ${shown(kept)} deletions, and none has been without a request for ${count(idleMinutes, 'minute')}, so that none is closed. Beyond ${shown(most)}, memory can run out: reset or close accounts that you no longer need (DELETE /__control/accounts?prefix=…), or let --close-idle-after close idle ones.`,
    );
  }

  return (deletions) => {
    kept += deletions;
    if (kept > countAgainAt) makeRoom();
  };
}

function lastUse({ lastReceivedAt }: { readonly lastReceivedAt: Date | undefined }): number {
  return lastReceivedAt?.getTime() ?? 0;
}

function shown(number: number): string {
  return number.toLocaleString('en');
}
