import type { RequestListener } from 'node:http';
import { parse } from 'yaml';
import type { AccountControl } from './control/account.js';
import { createAccounts } from './control/accounts.js';
import type { Dataset } from './dataset/dataset.js';
import { loadDatasets } from './dataset/datasets.js';
import { describeMistake } from './dataset/mistake.js';
import { createRecordChecks } from './dataset/record-checks.js';
import { createApp } from './http/app.js';
import { effectiveDocument } from './http/effective-document.js';
import { type Listener, listen } from './http/listener.js';
import type { OpenApiDocument } from './http/route-table.js';
import { createLogger } from './log.js';
import { completeOptions, type MockServerOptions, OptionError } from './options.js';
import { packagePath, readPackageFile } from './package-files.js';
import { watchFixtures } from './watch.js';

/** A mock of the billing service. */
export interface MockServer {
  /** Where it listens, such as `http://127.0.0.1:4010`. Throws while it is not started. */
  readonly url: string;
  /** The Express app, for supertest or a server of one's own; it answers without being started. */
  readonly app: RequestListener;
  /** The records that accounts are forks of unless their token is bound to others. */
  readonly dataset: Dataset;
  /** Starts to listen and returns the URL. Rejects if the port cannot be had. */
  start(): Promise<string>;
  /** Stops listening; answers under way have half a second to leave. The accounts stay. */
  stop(): Promise<void>;
  /** The account of a token: what a test arranges and inspects. Opens it if it is new. */
  account(token: string): AccountControl;
  /**
   * Forgets the account of a token with all its changes, and makes room for another; says whether
   * there was one. What `account(token)` gave before acts on nothing from then on.
   */
  closeAccount(token: string): boolean;
}

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing. Rejects with
 * an `OptionError` or a `FixtureError` that says what to correct.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port, host, decisions, maxAccounts, ...others } = completeOptions(options);
  const logger = createLogger(others.logLevel, others.logFormat, process.stderr);
  const contract = parse(readPackageFile('openapi.yaml')) as OpenApiDocument;
  const document = effectiveDocument(contract, decisions);
  const checks = createRecordChecks(document.components?.schemas ?? {});
  const [mistake] = checks.accounts(others.accounts);
  if (mistake) throw new OptionError(`The option 'accounts': ${describeMistake(mistake)}`);
  const load = () => loadDatasets({ ...others, folder: packagePath('fixtures'), checks });
  let datasets = load();
  const accounts = createAccounts({ datasets, decisions, checks, maxAccounts });
  const app = createApp({ document, accounts, decisions, logger });
  const watcher = watchFixtures({
    load,
    apply(next) {
      datasets = next;
      return accounts.reload(next);
    },
    logger,
  });
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;

  return {
    app,
    get dataset() {
      return datasets.main;
    },
    account: accounts.open,
    closeAccount: accounts.close,
    get url() {
      if (!listener) throw new Error('The mock server has no URL yet: call start() first.');
      return listener.url;
    },
    async start() {
      if (listening) throw new Error('The mock server is started already: call stop() first.');
      listening = listen(app, { host, port }, decisions, logger);
      try {
        listener = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      if (others.watch) watcher.watch(datasets.files());
      return listener.url;
    },
    async stop() {
      watcher.close();
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      await stopping?.close();
      listening = undefined;
    },
  };
}
