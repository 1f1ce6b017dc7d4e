import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AccountControl } from '../accounts/account.js';
import type { JournalControl } from '../accounts/journal/journal.js';
import { createControl } from '../control-plane/control-plane.js';
import { wholeControlDocument } from '../control-plane/document.js';
import type { Dataset } from '../datasets/dataset.js';
import { createRecordChecks } from '../datasets/fixture/record-checks.js';
import { createFetch, type Fetch } from '../http/in-process-fetch.js';
import { createHttpServers, listen } from '../http/listener.js';
import { createApp } from '../http/pipeline/pipeline.js';
import { elapsedMs } from '../http/real-time.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import { createSpecifications } from '../openapi/specification-in-force.js';
import { type CompleteOptions, completeOptions } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/option-table.js';
import { createServing } from './lifecycle.js';
import { createLogger } from './log.js';
import { logStart } from './log-start.js';
import { once } from './once.js';
import { openAccounts } from './open-accounts.js';
import { packageVersion, readPackageYaml } from './package-files.js';

/**
 * A mock of the billing service.
 *
 * @example
 * const server: MockServer = await createMockServer();
 * const url = await server.start();
 * server.account('my-token').reset();
 * await server.stop();
 */
export interface MockServer {
  /** Where it listens, such as `http://127.0.0.1:4010`. Throws while it is not started. */
  readonly url: string;
  /** The Express app, for supertest or a server of one's own; it answers without being started. */
  readonly app: RequestListener;
  /**
   * Answers a standard `Request` with a standard `Response` in process, through the same pipeline
   * as over a socket; only path, query, method, headers and body count, not the host of the URL.
   * Rejects as the global `fetch` does when a fault breaks the connection. Bound to this server:
   * it may be handed on as it is, to a client or to MSW.
   */
  readonly fetch: Fetch;
  /** The records that accounts are forks of unless their token is bound to others. */
  readonly dataset: Dataset;
  /** Starts to listen and returns the URL. Rejects if the port cannot be had. */
  start(): Promise<string>;
  /**
   * Stops listening; answers under way, those of `fetch` too, have half a second to leave. The
   * accounts stay.
   */
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
  /** The tokens of the open accounts, in the order in which they were opened. */
  tokens(): readonly string[];
  /** The OpenAPI document by which the account of the token is answered. */
  openapi(token: string): object;
  /** Resets every open account; says how many there are. */
  resetAll(): number;
  /**
   * Forgets the account of a token with all its changes, and makes room for another; says whether
   * there was one. What `account(token)` gave before throws from then on.
   */
  closeAccount(token: string): boolean;
  /** Forgets every account as `closeAccount` does one; says how many there were. */
  closeAllAccounts(): number;
}

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing, but that
 * express-openapi-validator, in this whole process, compiles its schema of OpenAPI only when it
 * checks a document. Rejects with an `OptionError` or a `FixtureError` that says what to correct.
 *
 * @example
 * const server = await createMockServer({ decisions: { 'repeat-delete': 'gone' } });
 * const answer = await server.fetch('/measurements', { headers: { Authorization: 'Bearer t' } });
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const complete = completeOptions(options);
  const { port, host, watch } = complete;
  const logger = createLogger(complete.logLevel, complete.logFormat, process.stderr);
  const service = readPackageYaml('openapi.yaml') as OpenApiDocument;
  const controlDocument = once(() => {
    const control = readPackageYaml('control.openapi.yaml') as OpenApiDocument;
    return wholeControlDocument(control, service);
  });
  const readingAtMs = elapsedMs();
  const { reader, datasets, decisions, accounts, journal } = await openAccounts(
    complete,
    createRecordChecks(schemasOf(service), () => schemasOf(controlDocument())),
    logger,
  );
  logStart(logger, complete, datasets(), elapsedMs() - readingAtMs);
  const controlToken = complete.control ? demandedToken(complete) : undefined;
  const specificationFor = createSpecifications(service);
  const shared = { specificationFor, accounts, decisions, journal };
  const control = createControl({
    ...shared,
    document: controlDocument,
    controlToken,
    allowedHosts: complete.allowedHosts,
    version: packageVersion(),
  });
  const app = createApp({
    ...shared,
    logger,
    namesDecisions: complete.explain,
    ...(complete.control && { control }),
  });
  const createServer = createHttpServers(app, decisions, logger);
  const inProcess = createServer();
  const serving = createServing({
    listen: () => listen(createServer(), { host, port }),
    onStart: () => watch && reader.watch(),
    async onStop() {
      reader.close();
      await inProcess.endConnections();
    },
  });
  return {
    app,
    fetch: createFetch(inProcess.server),
    controlToken,
    journal,
    account: accounts.open,
    tokens: accounts.tokens,
    openapi: (token) => specificationFor(accounts.open(token).decisions.inForce).document,
    resetAll: accounts.resetAll,
    closeAccount: accounts.close,
    closeAllAccounts: accounts.closeAll,
    start: serving.start,
    stop: serving.stop,
    get url() {
      return serving.url;
    },
    get dataset() {
      return datasets().main;
    },
  };
}

function schemasOf({ components }: OpenApiDocument): object {
  return components?.schemas ?? {};
}

/** What the control plane demands: the token given, or one made where others can reach it. */
function demandedToken({ controlToken, host }: CompleteOptions): string | undefined {
  return controlToken ?? (isLoopback(host) ? undefined : randomToken());
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

function randomToken(): string {
  return randomBytes(18).toString('base64url');
}
