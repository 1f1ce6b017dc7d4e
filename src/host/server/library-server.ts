import type { RequestListener } from 'node:http';
import type { SpecificationFor } from '../../core/openapi/specification-in-force.js';
import { prefixOf } from '../../core/values/bearer-token.js';
import type { IdleAccounts } from '../../mock/accounts/close-idle-accounts.js';
import type { Listener } from '../adapters/express/listener.js';
import type { Fetch, InProcess } from '../adapters/fetch.js';
import type { Repeated } from '../adapters/unfaked-time.js';
import type { Mock, MockServer } from './mock-interface.js';
import type { ServerAccounts } from './server-accounts.js';

/** How long responses under way may take when the mock stops. */
const GRACE_MS = 500;

interface MockParts {
  readonly fetch: Fetch;
  readonly specificationFor: SpecificationFor;
  readonly idleAccounts?: IdleAccounts | undefined;
}

export function mockOver(
  { fetch, specificationFor, idleAccounts }: MockParts,
  serverAccounts: ServerAccounts,
): Mock {
  const { accounts, journal, stubs } = serverAccounts;
  return {
    fetch,
    journal,
    stubs,
    account(token) {
      const account = accounts.open(token);
      idleAccounts?.note(token);
      return account;
    },
    tokens: () => accounts.tokens,
    openapi(token) {
      const { decisions, store } = accounts.open(token);
      return specificationFor(decisions.inForce, store.bases.keepsUndocumented).document;
    },
    coverage: () => serverAccounts.coverage.report(serverAccounts.decisions()),
    resetAll: () => accounts.resetAll(),
    closeAccount: (token) => accounts.close(token),
    closeAccounts: (selection) => accounts.closeWithPrefix(prefixOf(selection)),
    closeAllAccounts: () => accounts.closeAll(),
    get dataset() {
      return serverAccounts.datasets().main;
    },
  };
}

interface ServerParts extends InProcess, MockParts {
  readonly app: RequestListener;
  readonly controlToken: string | undefined;
  /** Called at each start. */
  readonly listen: () => Promise<Listener>;
  readonly repeated: readonly Repeated[];
  /** Writes the files that outlive the mock. */
  readonly writeFiles: () => void;
}

/** The server can be started again after it has stopped. */
export function createLibraryServer(
  parts: ServerParts,
  serverAccounts: ServerAccounts,
): MockServer {
  const { app, controlToken, repeated, writeFiles } = parts;
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;
  let stopping: Promise<void> | undefined;
  const mock = mockOver(parts, serverAccounts);
  const end = async () => {
    const open = await listening?.catch(() => undefined);
    listener = undefined;
    // Streams of requests end before connections do.
    for (const follower of serverAccounts.followers) follower.end();
    for (const one of repeated) one.stop();
    await Promise.all([parts.endCalls(GRACE_MS), open?.close(GRACE_MS)]);
    listening = undefined;
    writeFiles();
  };
  return {
    ...mock,
    get dataset() {
      return mock.dataset;
    },
    // The public type of `app` must not need `@types/node`.
    app: app as MockServer['app'],
    controlToken,
    get url() {
      if (!listener)
        throw new Error('The mock server is not running, so it has no URL: await start() first.');
      return listener.url;
    },
    async start() {
      if (listening || stopping)
        throw new Error('The mock server is running, starting or stopping: await stop() first.');
      listening = parts.listen();
      let started: Listener;
      try {
        started = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      if (stopping) throw new Error(STOPPED_WHILE_STARTING);
      listener = started;
      for (const one of repeated) one.start();
      return listener.url;
    },
    stop() {
      stopping ??= end().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
  };
}

const STOPPED_WHILE_STARTING =
  'The mock server was stopped while it started, so it does not listen. Await start() before stop().';
