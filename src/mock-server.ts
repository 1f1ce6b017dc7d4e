import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { parse } from 'yaml';
import type { AccountControl } from './control/account.js';
import { createAccounts } from './control/accounts.js';
import { Journal, type JournalControl } from './control/journal.js';
import { JournalBudget } from './control/journal-budget.js';
import type { Dataset } from './dataset/dataset.js';
import { loadDatasets } from './dataset/datasets.js';
import { describeMistake } from './dataset/mistake.js';
import { createRecordChecks } from './dataset/record-checks.js';
import { createApp } from './http/app.js';
import { createContracts } from './http/contracts.js';
import { createControl } from './http/control/app.js';
import { wholeControlDocument } from './http/control/document.js';
import { type Listener, listen } from './http/listener.js';
import type { OpenApiDocument } from './http/route-table.js';
import { createLogger } from './log.js';
import { completeOptions, type MockServerOptions, OptionError } from './options.js';
import { packagePath, packageVersion, readPackageFile } from './package-files.js';
import { createDatasetReader } from './watch.js';

/** What the journals of all accounts may hold together: 64 MB. */
const MOST_JOURNAL_BYTES = 64 * 2 ** 20;

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
  /** What the control plane demands in `X-Control-Token`; nothing if it is undefined. */
  readonly controlToken: string | undefined;
  /** The requests that reached no account: unknown paths, missing or refused tokens. */
  readonly journal: JournalControl;
  /**
   * The account of a token: what a test arranges and inspects. Opens it if it is new; throws a
   * `ProblemError` if the token is declared as refused, or is one more than `maxAccounts`.
   */
  account(token: string): AccountControl;
  /** Resets every open account; says how many there are. */
  resetAll(): number;
  /**
   * Forgets the account of a token with all its changes, and makes room for another; says whether
   * there was one. What `account(token)` gave before throws from then on.
   */
  closeAccount(token: string): boolean;
}

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing. Rejects with
 * an `OptionError` or a `FixtureError` that says what to correct.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port, host, decisions, maxAccounts, journalSize, ...others } = completeOptions(options);
  const logger = createLogger(others.logLevel, others.logFormat, process.stderr);
  const service = parse(readPackageFile('openapi.yaml')) as OpenApiDocument;
  const document = once(() => {
    const control = parse(readPackageFile('control.openapi.yaml')) as OpenApiDocument;
    return wholeControlDocument(control, service);
  });
  const checks = createRecordChecks(
    service.components?.schemas ?? {},
    () => document().components?.schemas ?? {},
  );
  const [mistake] = checks.accounts(others.accounts);
  if (mistake) throw new OptionError(`The option 'accounts': ${describeMistake(mistake)}`);
  const reader = createDatasetReader({
    load: (onRead) => loadDatasets({ ...others, folder: packagePath('fixtures'), checks, onRead }),
    apply(next) {
      datasets = next;
      return accounts.reload(next);
    },
    logger,
  });
  let datasets = reader.read();
  const journalBudget = new JournalBudget(MOST_JOURNAL_BYTES);
  const journal = new Journal(journalSize, journalBudget);
  const accounts = createAccounts({
    datasets,
    decisions,
    checks,
    maxAccounts,
    journalSize,
    journalBudget,
  });
  const contracts = createContracts(service);
  const controlToken = others.controlToken ?? (isLoopback(host) ? undefined : randomToken());
  const shared = { contracts, accounts, decisions, journal };
  const app = createApp({
    ...shared,
    logger,
    ...(others.control && {
      control: createControl({
        ...shared,
        document,
        controlToken,
        allowedHosts: others.allowedHosts,
        version: packageVersion(),
      }),
    }),
  });
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;

  return {
    app,
    get dataset() {
      return datasets.main;
    },
    controlToken,
    journal,
    account: accounts.open,
    resetAll: accounts.resetAll,
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
      if (others.watch) reader.watch();
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      reader.close();
      listener = undefined;
      await stopping?.close();
      listening = undefined;
    },
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

function randomToken(): string {
  return randomBytes(18).toString('base64url');
}

/** Makes a value when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
