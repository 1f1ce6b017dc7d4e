import type { Account } from '../../accounts/account.js';
import type { ControlOperations } from './control-operation.js';

/** The clock of the account. */
export const CLOCK_OPERATIONS = {
  getClock: ({ account }) => clockOf(account),
  setClock({ account }, { body: { frozenAt, frozenNow, advanceMs } }) {
    if (frozenAt !== undefined) account.clock.freeze(frozenAt);
    else if (frozenNow) account.clock.freeze();
    else if (advanceMs !== undefined) account.clock.advance(advanceMs);
    else account.clock.useRealTime();
    return clockOf(account);
  },
} satisfies Partial<ControlOperations>;

function clockOf({ clock }: Account): object {
  return { now: clock.now().toISOString(), isFrozen: clock.isFrozen };
}
