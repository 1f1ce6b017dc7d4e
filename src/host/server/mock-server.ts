import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Decisions } from '../../core/decisions/ledger.js';
import { OptionError } from '../../core/errors/option-error.js';
import { createSpecifications } from '../../core/openapi/specification-in-force.js';
import { isLoopback } from '../../core/values/origins.js';
import type { Accounts } from '../../mock/accounts/account-registry.js';
import { createIdleAccounts } from '../../mock/accounts/close-idle-accounts.js';
import { FAULT_KINDS } from '../../mock/accounts/fault-kinds.js';
import type { Maxima } from '../../mock/accounts/limits.js';
import { type CoverageFile, createCoverage } from '../../mock/coverage/coverage-counter.js';
import { createApp } from '../adapters/express/app.js';
import {
  type Address,
  createHttpServers,
  type Listener,
  listen,
} from '../adapters/express/listener.js';
import { createMount } from '../adapters/express/mount.js';
import { createInProcess } from '../adapters/fetch.js';
import { elapsedMs, repeated } from '../adapters/unfaked-time.js';
import { type CompleteOptions, completeOptions } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { buildService, type ServiceOptions } from './build-service.js';
import { type DatasetOptions, loadDatasets } from './datasets/load-datasets.js';
import { createDatasetWatch } from './datasets/watch-datasets.js';
import { createJudge } from './documents/express-openapi-validator.js';
import { packageVersion, readDocuments } from './documents/package-files.js';
import type { JournalFile } from './files/journal-file.js';
import { type CertificateOptions, readCertificate } from './files/read-certificate.js';
import { createLibraryServer } from './library-server.js';
import { createLogger, logStart } from './log.js';
import type { MockServer, Mount, MountSurroundings } from './mock-interface.js';
import { NODE } from './process/node-platform.js';
import { failsEveryCallInRun, optionsInRun } from './process/run-environment.js';
import { type AccountOptions, createServerAccounts } from './server-accounts.js';
import type { OpenStateFile } from './state-file/state-file.js';

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing. Rejects with an
 * `OptionError` or a `FixtureError` that says what to fix.
 *
 * @example
 * const server = await createMockServer({ decisions: { 'repeat-delete': 'gone' } });
 * const response = await server.fetch('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export async function createMockServer(given: MockServerOptions = {}): Promise<MockServer> {
  return (await createMock(given)).server;
}

/**
 * Builds a mock server as `createMockServer` does. Its clocks take the time from `machineTime`,
 * because a test runner may fake the `Date` of the tests and not that of the mock's code.
 */
export async function buildMockServer(
  given: MockServerOptions,
  machineTime: () => number,
): Promise<MockServer> {
  return (await createMock(given, { machineTime })).server;
}

/** A mock, and what the command or another server needs of it. */
interface WholeMock {
  readonly server: MockServer;
  readonly mount: Mount;
  /** The open accounts, and how their tests ended. */
  readonly accounts: Accounts;
  /** The decisions in force for new accounts. */
  readonly decisions: () => Decisions;
  /** Leaves the state file, if there is one, to the mock that replaces this one. */
  readonly handOverState: () => void;
}

const NO_CODE_GENERATION = '--disallow-code-generation-from-strings';

/** The validator compiles schemas: without that, every call would fail later. */
function refuseWithoutCodeGeneration(): void {
  if (![...process.execArgv, process.env.NODE_OPTIONS].join(' ').includes(NO_CODE_GENERATION))
    return;
  throw new OptionError(
    `Node.js runs with ${NO_CODE_GENERATION}, but the validator has to compile schemas. Start it without that flag, which may be in NODE_OPTIONS.`,
  );
}

const NOTHING_TO_WATCH =
  '--watch (watch in the library) has no file to reload: every dataset is built in. Name a fixture file with --dataset, or leave out --watch.';

const NOT_LISTENING: Listener = { url: '', close: async () => undefined };

/** What differs from a mock that `createMockServer` builds. */
interface Surroundings extends MountSurroundings {
  /** True if `start()` does not listen, because another server hands the mock requests. */
  readonly isMounted?: boolean;
  /** The current time in ms since 1970. */
  readonly machineTime?: () => number;
  /** What the accounts keep at most, where it is not as usual. */
  readonly maxima?: Partial<Maxima>;
  /**
   * Ends the process, when a request to the control plane asks for it; left out if the process does
   * anything else.
   */
  readonly stop?: () => void;
  /** By default, as `matrix` has told this process. */
  readonly failsEveryCall?: boolean;
}

/** The options that something reads. An option that is missing here does not compile. */
type Read =
  | keyof (AccountOptions & CertificateOptions & DatasetOptions & FileOptions)
  | keyof (Address & ServiceOptions & TokenOptions)
  | keyof Pick<CompleteOptions, 'closeIdleAfter' | 'logFormat' | 'logLevel'>;
type NoneUnread = {
  readonly [Name in keyof CompleteOptions]: Name extends Read ? unknown : never;
};

/** Builds a mock server as `createMockServer` does, in other surroundings. */
export async function createMock(
  given: MockServerOptions,
  surroundings: Surroundings = {},
): Promise<WholeMock> {
  refuseWithoutCodeGeneration();
  const options = optionsInRun(completeOptions(given)) satisfies NoneUnread;
  const logger = createLogger(options.logLevel, options.logFormat, process.stderr);
  const openState = await stateFileOf(options, logger);
  try {
    return await createWith(options, surroundings, logger, openState);
  } catch (error) {
    openState?.release();
    throw error;
  }
}

async function createWith(
  options: CompleteOptions,
  surroundings: Surroundings,
  logger: Logger,
  openState: OpenStateFile | undefined,
): Promise<WholeMock> {
  const { basePath = '' } = options;
  const certificate = readCertificate(options);
  const documents = readDocuments(basePath);
  const loadingAtMs = elapsedMs();
  const { folder } = surroundings;
  const loaded = await loadDatasets(options, documents.checks, folder, openState?.today);
  const stateFile = await openState?.over(loaded.datasets, documents.checks);
  if (options.watch && loaded.areShipped) logger.warn(NOTHING_TO_WATCH);
  const journalFile = await journalFileOf(options, logger);
  const coverageFile = await coverageFileOf(options, logger);
  const controlToken = requiredToken(options);
  const serverAccounts = createServerAccounts(loaded.datasets, options, documents.checks, logger, {
    controlToken,
    coverage: createCoverage(documents.service, FAULT_KINDS, coverageFile),
    version: packageVersion(),
    reasonPhrases: NODE.reasonPhrases,
    sign: NODE.sign,
    after: NODE.after,
    unclaimed: stateFile?.unclaimed,
    machineTime: surroundings.machineTime,
    maxima: surroundings.maxima,
  });
  // Lists all rows in the file, even if this process is killed before it is called.
  if (coverageFile) serverAccounts.coverage.report(serverAccounts.decisions());
  logStart(logger, options, serverAccounts.datasets(), elapsedMs() - loadingAtMs);
  const specificationFor = createSpecifications(documents.service, createJudge);
  const { closeIdleAfter } = options;
  const idleAccounts =
    closeIdleAfter === undefined
      ? undefined
      : createIdleAccounts({
          accounts: serverAccounts.accounts,
          closeIdleAfter,
          elapsedMs,
          log: (sentence) => logger.info(sentence),
        });
  const service = buildService(
    {
      ...serverAccounts,
      ...{ specificationFor, idleAccounts, logger, record: journalFile?.record },
      controlDocument: documents.control,
    },
    options,
    {
      controlToken,
      trustsLoopback: surroundings.trustsLoopback ?? false,
      stop: surroundings.stop,
      failsEveryCall: surroundings.failsEveryCall ?? failsEveryCallInRun(),
    },
  );
  const app = createApp(service);
  const createServer = createHttpServers(app, serverAccounts.decisions, logger);
  const parts = {
    ...{ app, controlToken, specificationFor, idleAccounts },
    writeFiles() {
      if (coverageFile) serverAccounts.coverage.report(serverAccounts.decisions());
      stateFile?.close(serverAccounts);
    },
    ...createInProcess(service, NODE, basePath),
    listen: async () =>
      surroundings.isMounted
        ? NOT_LISTENING
        : listen(createServer(certificate), { ...options, basePath }),
    repeated: [
      ...(options.watch
        ? [createDatasetWatch({ loaded, replace: serverAccounts.replace, logger, ...surroundings })]
        : []),
      // Requests also trigger the search for idle accounts, but there may be none.
      ...(idleAccounts ? [repeated(idleAccounts.intervalMs, idleAccounts.closeIdle)] : []),
      ...(stateFile ? [repeated(stateFile.saveEveryMs, () => stateFile.save(serverAccounts))] : []),
    ],
  };
  return {
    server: createLibraryServer(parts, serverAccounts),
    accounts: serverAccounts.accounts,
    decisions: serverAccounts.decisions,
    handOverState: () => stateFile?.handOver(serverAccounts),
    mount: createMount({
      app,
      service,
      routes: specificationFor(serverAccounts.decisions()).routes,
      ...serverAccounts,
      basePath,
      hasControl: options.control,
      hasRoutes: options.routes !== undefined,
    }),
  };
}

type FileOptions = Pick<CompleteOptions, 'coverage' | 'journalFile' | 'stateFile'>;

/** Imports the code only if the option is given, so that other starts are faster. */
async function journalFileOf(
  { journalFile }: FileOptions,
  logger: Logger,
): Promise<JournalFile | undefined> {
  if (journalFile === undefined) return undefined;
  const { openJournalFile } = await import('./files/journal-file.js');
  return orRefuse(() => openJournalFile(journalFile, logger));
}

async function coverageFileOf(
  { coverage }: FileOptions,
  logger: Logger,
): Promise<CoverageFile | undefined> {
  if (coverage === undefined) return undefined;
  const { openCoverageFile } = await import('./files/coverage-file.js');
  return orRefuse(() => openCoverageFile(coverage, logger));
}

function orRefuse<File>(open: () => File): File {
  try {
    return open();
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}

async function stateFileOf(
  { stateFile, maxAccounts }: FileOptions & Pick<CompleteOptions, 'maxAccounts'>,
  logger: Logger,
): Promise<OpenStateFile | undefined> {
  if (stateFile === undefined) return undefined;
  const { openStateFile } = await import('./state-file/state-file.js');
  return openStateFile(stateFile, maxAccounts, logger);
}

type TokenOptions = Pick<CompleteOptions, 'control' | 'controlToken' | 'host'>;

/** The control plane's token: as given, else random unless only this machine can reach the mock. */
function requiredToken(options: TokenOptions): string | undefined {
  const { control, controlToken, host } = options;
  if (!control) return undefined;
  return controlToken ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'));
}
