import type { Logger } from 'pino';
import { MAX_LEVELS_WRAPPED, parseJson } from '../../../core/values/parse-json.js';
import { isCalendarDay } from '../../../core/values/time.js';
import type { BrowserMockOptions } from '../mock-interface.js';
import type { ServerAccounts } from '../server-accounts.js';
import {
  changedIn,
  createSavedAccounts,
  type SavedAccounts,
  type SavedEntry,
} from '../state-file/saved-accounts.js';

/** What is used of `window`; its `sessionStorage` keeps text until the tab is closed. */
interface Tab {
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  addEventListener(type: 'pagehide', listener: () => void): void;
}

const DAY = 'usage-billing-mock day';

/** The day from which the kept state counts relative dates; the given day if the tab keeps none. */
export function dayInTab(persist: BrowserMockOptions['persist'], day: string): string {
  if (persist === undefined) return day;
  try {
    const kept = (globalThis as unknown as Tab).sessionStorage.getItem(DAY) ?? '';
    return isCalendarDay(kept) ? kept : day;
  } catch {
    // `sessionState` logs the error.
    return day;
  }
}

/**
 * Keeps the changes in accounts from one page of the tab to the next, if `persist` asks for it. If
 * the storage fails, the mock logs it and works without.
 */
export function sessionState(persist: BrowserMockOptions['persist'], key: string, logger: Logger) {
  if (persist === undefined) return undefined;
  const tab = globalThis as unknown as Tab;
  const unclaimed = savedIn(tab, key, logger);
  return {
    unclaimed,
    /** Writes the changes whenever the page is left. */
    keep({ accounts, datasets }: ServerAccounts): void {
      const { addEventListener } = tab;
      addEventListener('pagehide', () => {
        const changed = changedIn(accounts).map((one) => one.entry((token) => token));
        try {
          tab.sessionStorage.setItem(DAY, datasets().today);
          tab.sessionStorage.setItem(key, JSON.stringify([...unclaimed.list(), ...changed]));
        } catch (error) {
          logger.error(`The tab cannot keep the state of the mock: ${(error as Error).message}`);
        }
      });
    },
  };
}

function savedIn(tab: Tab, key: string, logger: Logger): SavedAccounts {
  const saved = (read: readonly SavedEntry[]) =>
    createSavedAccounts((token) => token, read, logger);
  try {
    const text = tab.sessionStorage.getItem(key) ?? '[]';
    return saved(parseJson(text, MAX_LEVELS_WRAPPED) as SavedEntry[]);
  } catch (error) {
    logger.warn(
      `The state that this tab has kept cannot be read: ${(error as Error).message}. The mock starts over.`,
    );
    return saved([]);
  }
}
