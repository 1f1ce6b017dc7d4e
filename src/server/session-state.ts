import type { Logger } from 'pino';
import { OptionError } from '../options/complete-options.js';
import { shown } from '../values/received-value.js';
import type { ServerAccounts } from './server-accounts.js';
import { createSavedAccounts } from './state-file/saved-accounts.js';
import { captureAccount, hasChanged, writeAccount } from './state-file/written-account.js';

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
export function dayInTab(persist: unknown, day: string): string {
  if (persist !== 'session') return day;
  const { sessionStorage } = globalThis as unknown as Tab;
  return sessionStorage.getItem(DAY) ?? day;
}

/** What accounts have changed, if the tab is to keep it from one page to the next. */
export function sessionState(persist: unknown, key: string, logger: Logger) {
  if (persist === undefined) return undefined;
  if (persist !== 'session') {
    throw new OptionError(`The option 'persist' is ${shown(persist)}; expected 'session'.`);
  }
  const { sessionStorage, addEventListener } = globalThis as unknown as Tab;
  const read = JSON.parse(sessionStorage.getItem(key) ?? '[]');
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
