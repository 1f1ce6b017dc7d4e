import type { MockServerOptions } from '../options/mock-server-options.js';
import { createLogger } from '../server/log.js';
import { createToldMock } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { packageVersion } from '../server/package-files.js';
import { EXAMPLE_TOKEN } from '../stubs/issued-tokens.js';
import { banner, bannerMembers, type Running, requiredHeader } from './banner.js';
import { endWithNpm } from './end-with-npm.js';
import { EXIT, fail, onSignals } from './exit.js';
import { jsonLine, writesJson } from './json-lines.js';
import { createReadyFile } from './ready-file.js';
import { serviceLinks } from './variables.js';

/** `usage-billing-mock`: serves until it is stopped; the ready file exists as long as it serves. */
export async function serve(
  options: MockServerOptions,
  readyFile: string | undefined,
): Promise<void> {
  let server: MockServer | undefined;
  onSignals(
    () => 0,
    () => server?.stop(),
  );
  endWithNpm(() => process.kill(process.pid, 'SIGTERM'));
  const ready = readyFile === undefined ? undefined : createReadyFile(readyFile);
  const mock = await createToldMock(options);
  server = mock.server;
  const url = await server.start().catch(({ message }: Error) => fail(EXIT.noPort, message));
  const { controlToken } = server;
  const generatedToken = options.controlToken === undefined ? controlToken : undefined;
  if (options.logLevel !== 'silent') {
    writeBanner({
      version: packageVersion(),
      url,
      certificateFile: options.tlsCert,
      datasetName: String(options.dataset),
      dataset: server.dataset,
      isOnEveryAddress: ['0.0.0.0', '::'].includes(options.host ?? ''),
      refusesUnknownTokens: mock.decisions()['unknown-token'] === 'reject',
      hasControl: options.control !== false,
      hasPage: options.control !== false && options.ui !== false,
      hasGivenToken: options.controlToken !== undefined,
      generatedToken,
    });
  } else if (generatedToken !== undefined && ready === undefined) {
    // Printed nowhere else, and without it the control plane cannot be called.
    writeToken(generatedToken);
  }
  logServiceLinks(options);
  ready?.write({ url, token: EXAMPLE_TOKEN, controlToken });
  process.stdout.write(`usage-billing-mock ready on ${url}\n`);
}

function writeBanner(running: Running): void {
  const { version, url } = running;
  const sentence = `usage-billing-mock ${version} listens on ${url}`;
  process.stderr.write(
    writesJson() ? jsonLine('info', sentence, bannerMembers(running)) : banner(running),
  );
}

function writeToken(controlToken: string): void {
  const header = requiredHeader(controlToken);
  process.stderr.write(
    writesJson() ? jsonLine('info', 'Token of the control plane', { controlToken }) : `${header}\n`,
  );
}

function logServiceLinks({ logLevel = 'info', logFormat = 'text' }: MockServerOptions): void {
  const links = serviceLinks();
  if (links.length === 0) return;
  createLogger(logLevel, logFormat, process.stderr).info(
    `Ignored variables that Kubernetes sets for a Service: ${links.join(', ')}.`,
  );
}
