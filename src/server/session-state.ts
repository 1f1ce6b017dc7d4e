import type { Logger } from 'pino';
import { MOST_LEVELS_WRAPPED, parseJson } from '../values/parse-json.js';
import type { BrowserMockOptions } from './mock-interface.js';
import type { ServerAccounts } from './server-accounts.js';
import { createSavedAccounts } from './state-file/saved-accounts.js';
import {
  captureAccount,
  hasChanged,
  type WrittenAccount,
  writeAccount,
} from './state-file/written-account.js';

/** What of a page keeps texts until its tab is closed. */
interface Tab {
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  addEventListener(type: 'pagehide', listener: () => void): void;
}

const DAY = 'usage-billing-mock day';

/** The day that relative dates of what the tab keeps start from; the given one if it keeps nothing yet. */
export function dayInTab(persist: BrowserMockOptions['persist'], day: string): string {
  if (persist === undefined) return day;
  const { sessionStorage } = globalThis as unknown as Tab;
  return sessionStorage.getItem(DAY) ?? day;
}

/** What accounts have changed, if the tab is to keep it from one page to the next. */
export function sessionState(persist: BrowserMockOptions['persist'], key: string, logger: Logger) {
  if (persist === undefined) return undefined;
  const { sessionStorage, addEventListener } = globalThis as unknown as Tab;
  const read = parseJson(
    sessionStorage.getItem(key) ?? '[]',
    MOST_LEVELS_WRAPPED,
  ) as WrittenAccount[];
  const unclaimed = createSavedAccounts((token) => token, read, logger);
  return {
    unclaimed,
    /** Writes it whenever the page is left. */
    keep({ accounts, datasets }: ServerAccounts): void {
      addEventListener('pagehide', () => {
        const changed = [...accounts.entries()]
          .map(([token, account]) => captureAccount(token, account))
          .filter(hasChanged);
        const written = changed.map((one) => [...writeAccount(one, one.token)].join(''));
        const others = unclaimed.list().map((one) => JSON.stringify(one));
        try {
          sessionStorage.setItem(DAY, datasets().today);
          sessionStorage.setItem(key, `[${[...others, ...written].join()}]`);
        } catch (error) {
          logger.error(`The tab cannot keep the state of the mock: ${(error as Error).message}`);
        }
      });
    },
  };
}
