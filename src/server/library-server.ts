import type { Express } from 'express';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { Fetch } from '../doors/fetch.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import { prefixOf } from '../values/bearer-token.js';
import type { JournalFile } from './journal-file.js';
import type { Lifecycle } from './lifecycle.js';
import type { MockServer } from './mock-server-interface.js';
import type { ServerAccounts } from './server-accounts.js';
import type { StateFile } from './state-file/state-file.js';

/** What the verbs of a server act on, beside its accounts. */
interface VerbParts {
  readonly app: Express;
  readonly fetch: Fetch;
  readonly controlToken: string | undefined;
  readonly specificationFor: SpecificationFor;
  readonly idleAccounts: IdleAccounts | undefined;
  readonly lifecycle: Lifecycle;
  readonly files: {
    readonly journalFile: JournalFile | undefined;
    readonly stateFile: StateFile | undefined;
  };
}

/** The server as the library shows it. */
export function createLibraryServer(
  { app, fetch, controlToken, specificationFor, idleAccounts, lifecycle, files }: VerbParts,
  held: ServerAccounts,
): MockServer {
  const { accounts, journal, stubs } = held;
  return {
    app,
    fetch,
    controlToken,
    journal,
    stubs,
    account(token) {
      const account = accounts.open(token);
      idleAccounts?.note(token);
      return account;
    },
    tokens: accounts.tokens,
    openapi: (token) => specificationFor(accounts.open(token).decisions.inForce).document,
    resetAll: accounts.resetAll,
    closeAccount: accounts.close,
    closeAccounts: (selection) => accounts.closeWithPrefix(prefixOf(selection)),
    closeAllAccounts: accounts.closeAll,
    async start() {
      const url = await lifecycle.start();
      files.stateFile?.start(held);
      return url;
    },
    async stop() {
      await lifecycle.stop();
      files.journalFile?.close();
      await files.stateFile?.stop(held);
    },
    get url() {
      return lifecycle.url;
    },
    get dataset() {
      return held.datasets().main;
    },
  };
}
