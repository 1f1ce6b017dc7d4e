import { STATUS_CODES } from 'node:http';
import type { Decisions } from '../decisions/ledger.js';
import { createApp } from '../http/app.js';
import { createInProcess } from '../http/fetch.js';
import { createHandOver } from '../http/hand-over.js';
import type { HandOver } from '../http/hand-over-interface.js';
import { createHttpServers, type Listener, listen } from '../http/listener.js';
import { elapsedMs } from '../http/real-time.js';
import { createSpecifications } from '../openapi/specification-in-force.js';
import { completeOptions } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { buildService } from './build-service.js';
import { cannotListen } from './cannot-listen.js';
import { readCertificate } from './certificate.js';
import { requiredToken } from './control-token.js';
import { readDocuments } from './documents.js';
import { createJudge } from './express-openapi-validator.js';
import { closingIdleAccounts, watchIdleAccounts } from './idle-accounts.js';
import { createLifecycle } from './lifecycle.js';
import { loadDatasets } from './load-datasets.js';
import { createLogger } from './log.js';
import { logStart } from './log-start.js';
import type { MockServer } from './mock-server-interface.js';
import { NODE } from './node-platform.js';
import { journalFileOf, stateFileOf } from './open-files.js';
import { packageVersion } from './package-files.js';
import { createDatasetWatch } from './reload-datasets.js';
import { createServerAccounts } from './server-accounts.js';
import { createVerbs } from './verbs.js';

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing. Rejects with an `OptionError` or a `FixtureError` that says what to correct.
 *
 * @example
 * const server = await createMockServer({ decisions: { 'repeat-delete': 'gone' } });
 * const response = await server.fetch('/measurements', { headers: { Authorization: 'Bearer t' } });
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
  /** The decisions in force for new accounts. */
  readonly decisions: () => Decisions;
}

/** Builds a mock server as `createMockServer` does, with what its banner tells beside it. */
export async function createToldMock(given: MockServerOptions): Promise<MountedMock> {
  return createMock(given);
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
    version: packageVersion(),
    reasonPhrases: STATUS_CODES,
    sign: NODE.sign,
    unclaimed: stateFile?.unclaimed,
    machineTime: surroundings.machineTime,
  });
  logStart(logger, options, held.datasets(), elapsedMs() - loadingAtMs);
  const specificationFor = createSpecifications(documents.service, createJudge);
  const idleAccounts = closingIdleAccounts(held.accounts, options.closeIdleAfter, logger);
  const controlToken = requiredToken(options);
  const { app, service } = createApp(options.routes, (callRoutes) =>
    buildService(
      {
        ...held,
        specificationFor,
        idleAccounts,
        controlDocument: documents.control,
        logger,
        callRoutes,
      },
      options,
      { controlToken, trustsLoopback: surroundings.trustsLoopback ?? false },
    ),
  );
  const createServer = createHttpServers(app, held.decisions, logger);
  const { fetch, endCalls } = createInProcess(service, NODE, basePath);
  const lifecycle = createLifecycle({
    endCalls,
    listen:
      surroundings.listen ??
      (() =>
        listen(createServer(certificate), { ...options, basePath }).catch((error: unknown) => {
          throw cannotListen(error, options);
        })),
    watches: [
      // Streams of requests end before connections do.
      { start: () => undefined, stop: () => held.feed.end() },
      ...(options.watch ? [createDatasetWatch({ loaded, replace: held.replace, logger })] : []),
      ...(idleAccounts ? [watchIdleAccounts(idleAccounts)] : []),
    ],
  });
  const files = { journalFile, stateFile };
  const specification = specificationFor(held.decisions());
  return {
    server: createVerbs(
      { app, fetch, controlToken, specificationFor, idleAccounts, lifecycle, files },
      held,
    ),
    decisions: held.decisions,
    handOver: createHandOver({
      app,
      service,
      routes: specification.routes,
      accounts: held.accounts,
      stubs: held.stubs,
      basePath,
      hasControl: options.control,
      hasRoutes: options.routes !== undefined,
    }),
  };
}
