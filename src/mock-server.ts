import type { RequestListener } from 'node:http';
import { parse } from 'yaml';
import type { AccountControl } from './control/account.js';
import { createAccounts } from './control/accounts.js';
import { createDataset, type Dataset } from './dataset/dataset.js';
import { readFixture } from './dataset/fixture-file.js';
import { createRecordChecks } from './dataset/record-checks.js';
import { createApp } from './http/app.js';
import { effectiveDocument } from './http/effective-document.js';
import { type Listener, listen } from './http/listener.js';
import type { OpenApiDocument } from './http/route-table.js';
import { createLogger } from './log.js';
import { completeOptions, type MockServerOptions } from './options.js';
import { packagePath, readPackageFile } from './package-files.js';

/** A mock of the billing service. */
export interface MockServer {
  /** Where it listens, such as `http://127.0.0.1:4010`. Throws while it is not started. */
  readonly url: string;
  /** The Express app, for supertest or a server of one's own; it answers without being started. */
  readonly app: RequestListener;
  /** The records that it was built from, shared by all accounts. */
  readonly dataset: Dataset;
  /** Starts to listen and returns the URL. Rejects if the port cannot be had. */
  start(): Promise<string>;
  /** Stops listening; answers under way have half a second to leave. The accounts stay. */
  stop(): Promise<void>;
  /** The account of a token: what a test arranges and inspects. Opens it if it is new. */
  account(token: string): AccountControl;
}

/**
 * Builds a mock server; nothing listens before `start()`. Two servers share nothing. Rejects with
 * an `OptionError` or a `FixtureError` that says what to correct.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port, host, seed, decisions, ...others } = completeOptions(options);
  const logger = createLogger(others.logLevel, others.logFormat, process.stderr);
  const contract = parse(readPackageFile('openapi.yaml')) as OpenApiDocument;
  const document = effectiveDocument(contract, decisions);
  const checks = createRecordChecks(document.components?.schemas ?? {});
  const dataset = createDataset(readFixture(others.dataset, packagePath('fixtures'), checks), seed);
  const accounts = createAccounts(dataset, decisions, checks);
  const app = createApp({ document, accounts, decisions, logger });
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;

  return {
    app,
    dataset,
    account: accounts.open,
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
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      await stopping?.close();
      listening = undefined;
    },
  };
}
