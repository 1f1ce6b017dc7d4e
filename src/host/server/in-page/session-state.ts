import type { Logger } from 'pino';
import type { BrowserMockOptions } from '../mock-interface.js';
import type { ServerAccounts } from '../server-accounts.js';
import { createSavedAccounts, parseState, type SavedState } from '../state-file/saved-accounts.js';

/** What is used of `window`; its `sessionStorage` keeps text until the tab is closed. */
interface Tab {
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  addEventListener(type: 'pagehide', listener: () => void): void;
}

const KEY = 'usage-billing-mock';

/** What the tab has kept, if `persist` asks for it. If it cannot be read, the mock starts over. */
export function stateInTab(
  persist: BrowserMockOptions['persist'],
  logger: Logger,
): SavedState | undefined {
  if (persist === undefined) return undefined;
  try {
    const text = (globalThis as unknown as Tab).sessionStorage.getItem(KEY);
    return text === null ? undefined : parseState(text);
  } catch (error) {
    logger.warn(
      `The state that this tab has kept cannot be used: ${(error as Error).message}. The mock starts over.`,
    );
    return undefined;
  }
}

/** Keeps the changes in accounts from one page of the tab to the next; logs if that fails. */
export function sessionState(read: SavedState | undefined, dataset: string, logger: Logger) {
  const tab = globalThis as unknown as Tab;
  const isSame = read?.dataset === dataset;
  if (read && !isSame && read.accounts.length > 0)
    logger.warn('The state that this tab has kept is of another dataset. The mock starts over.');
  const saved = createSavedAccounts({
    read: { dataset, salt: '', accounts: isSame ? read.accounts : [] },
    hashToken: (token) => token,
    logger,
    write: (text) => tab.sessionStorage.setItem(KEY, text),
  });
  return {
    unclaimed: saved.unclaimed,
    /** Writes the changes whenever the page is left. */
    keep(serverAccounts: ServerAccounts): void {
      const { addEventListener } = tab;
      addEventListener('pagehide', () => {
        try {
          saved.save(serverAccounts);
        } catch (error) {
          logger.error(`The tab cannot keep the state of the mock: ${(error as Error).message}`);
        }
      });
    },
  };
}
