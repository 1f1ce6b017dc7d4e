import type { RequestFeed } from '../accounts/journal/request-feed.js';
import { createControl } from '../control-plane/control-plane.js';
import { createHandOver } from '../http/hand-over.js';
import type { HandOver } from '../http/hand-over-interface.js';
import { createFetch } from '../http/in-process-fetch.js';
import { createHttpServers, type Listener, listen } from '../http/listener.js';
import { createApp } from '../http/pipeline/pipeline.js';
import { elapsedMs } from '../http/real-time.js';
import { prefixOf } from '../messages/token-prefix.js';
import { createSpecifications } from '../openapi/specification-in-force.js';
import { type CompleteOptions, completeOptions } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { cannotListen } from './cannot-listen.js';
import { readCertificate } from './certificate.js';
import { requiredToken } from './control-token.js';
import { readDocuments } from './documents.js';
import { closingIdleAccounts, watchIdleAccounts } from './idle-accounts.js';
import { createLifecycle } from './lifecycle.js';
import { loadDatasets } from './load-datasets.js';
import { createLogger } from './log.js';
import { logStart } from './log-start.js';
import type { MockServer } from './mock-server-interface.js';
import { journalFileOf, stateFileOf } from './open-files.js';
import { packageVersion, readPageFile } from './package-files.js';
import { createDatasetWatch } from './reload-datasets.js';
import { createServerAccounts } from './server-accounts.js';

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing, but that
 * express-openapi-validator, in this whole process, compiles its schema of OpenAPI only when it
 * checks a document. Rejects with an `OptionError` or a `FixtureError` that says what to correct.
 *
 * @example
 * const server = await createMockServer({ decisions: { 'repeat-delete': 'gone' } });
 * const answer = await server.fetch('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export async function createMockServer(given: MockServerOptions = {}): Promise<MockServer> {
  return (await createMock(given)).server;
}

/**
 * Builds a mock server as `createMockServer` does, whose clocks read the time by this function: the
 * `Date` of a test runner need not be that of the realm in which the server runs.
 */
export async function buildMockServer(
  given: MockServerOptions,
  machineTime: () => number,
): Promise<MockServer> {
  return (await createMock(given, { machineTime })).server;
}

/** A mock, and what a server needs that serves it. */
export interface MountedMock {
  readonly server: MockServer;
  readonly handOver: HandOver;
}

/**
 * Builds a mock whose `start()` does not listen, because another server hands it requests. With
 * `trustsLoopback` its control token is required of other machines only.
 */
export async function createMountedMock(
  given: MockServerOptions,
  trustsLoopback: boolean,
): Promise<MountedMock> {
  return createMock(given, { trustsLoopback, listen: async () => NOT_LISTENING });
}

const NOTHING_TO_WATCH =
  '--watch (watch in the library) has no file of yours to read again: every dataset is one of the package. Name a file with --dataset, or leave out --watch.';

const NOT_LISTENING: Listener = { url: '', close: async () => undefined };

/** What is otherwise than for a mock that serves itself. */
interface Surroundings {
  /** True to require the control token of other machines only. */
  readonly trustsLoopback?: boolean;
  readonly listen?: () => Promise<Listener>;
  /** The current time in ms since 1970. */
  readonly machineTime?: () => number;
}

async function createMock(
  given: MockServerOptions,
  surroundings: Surroundings = {},
): Promise<MountedMock> {
  const options = completeOptions(given);
  const { basePath = '' } = options;
  const certificate = readCertificate(options);
  const logger = createLogger(options.logLevel, options.logFormat, process.stderr);
  const documents = readDocuments(basePath);
  const loadingAtMs = elapsedMs();
  const loaded = await loadDatasets(options, documents.checks);
  if (options.watch && loaded.areShipped) logger.warn(NOTHING_TO_WATCH);
  const journalFile = await journalFileOf(options, logger);
  const stateFile = await stateFileOf(options, loaded.datasets.main, logger);
  const held = createServerAccounts(loaded.datasets, options, documents.checks, logger, {
    record: journalFile?.record,
    unclaimed: stateFile?.unclaimed,
    machineTime: surroundings.machineTime,
  });
  const { datasets, decisions, accounts, journal, stubs, latency, feed } = held;
  logStart(logger, options, datasets(), elapsedMs() - loadingAtMs);
  const specificationFor = createSpecifications(documents.service);
  const idleAccounts = closingIdleAccounts(accounts, options.closeIdleAfter, logger);
  const shared = { specificationFor, accounts, decisions, journal, stubs, idleAccounts };
  const controlToken = requiredToken(options);
  const control = createControl({
    ...shared,
    feed,
    document: documents.control,
    controlToken,
    trustsLoopback: surroundings.trustsLoopback ?? false,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins,
    version: packageVersion(),
    readPageFile: options.ui ? readPageFile : undefined,
  });
  const app = createApp({
    ...shared,
    latency,
    logger,
    basePath,
    namesDecisions: options.explain,
    routes: options.routes,
    capturesAnswers: capturesAnswersOf(options, feed),
    ...(options.control && { control, hasPage: options.ui }),
  });
  const createServer = createHttpServers(app, decisions, logger);
  const inProcess = createServer();
  const lifecycle = createLifecycle({
    listen:
      surroundings.listen ??
      (() =>
        listen(createServer(certificate), { ...options, basePath }).catch((error: unknown) => {
          throw cannotListen(error, options);
        })),
    inProcess,
    watches: [
      // Streams of requests end before connections do.
      { start: () => undefined, stop: () => feed.end() },
      ...(options.watch ? [createDatasetWatch({ loaded, replace: held.replace, logger })] : []),
      ...(idleAccounts ? [watchIdleAccounts(idleAccounts)] : []),
    ],
  });
  const server: MockServer = {
    app,
    fetch: createFetch(inProcess.server, basePath),
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
      stateFile?.start(held);
      return url;
    },
    async stop() {
      await lifecycle.stop();
      journalFile?.close();
      await stateFile?.stop(held);
    },
    get url() {
      return lifecycle.url;
    },
    get dataset() {
      return datasets().main;
    },
  };
  const handOver = createHandOver({
    app,
    inProcess: inProcess.server,
    routes: specificationFor(decisions()).routes,
    accounts,
    stubs,
    basePath,
    hasControl: options.control,
    hasRoutes: options.routes !== undefined,
  });
  return { server, handOver };
}

/** Whether answers are kept: always with the option, or while somebody who follows requests wants them. */
function capturesAnswersOf(
  { captureBodies, control }: CompleteOptions,
  feed: RequestFeed,
): (() => boolean) | undefined {
  if (captureBodies) return () => true;
  return control ? () => feed.wantsAnswers : undefined;
}
