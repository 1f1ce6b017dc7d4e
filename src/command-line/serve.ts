import { EXAMPLE_TOKEN } from '../core/stubs/issued-tokens.js';
import type { MockServerOptions } from '../host/options/mock-server-options.js';
import { packageVersion } from '../host/server/documents/package-files.js';
import { createLogger } from '../host/server/log.js';
import type { MockServer } from '../host/server/mock-interface.js';
import { createMock } from '../host/server/mock-server.js';
import { endWithProcess } from '../host/terminal/end-with.js';
import { EXIT, endBySignal, fail, onSignals, tell } from '../host/terminal/exit.js';
import { type CommandOptions, serviceLinks } from '../host/terminal/flags-and-variables.js';
import { banner, bannerMembers } from './banner.js';
import { createReadyFile } from './ready-file.js';

/** Runs the command without a subcommand; resolves once the mock can be called. */
export async function serve({
  endWith,
  readyFile,
  ...options
}: MockServerOptions & CommandOptions): Promise<void> {
  let server: MockServer | undefined;
  let isEnding = false;
  onSignals(
    () => 0,
    () => {
      isEnding = true;
      return server?.stop();
    },
  );
  if (endWith !== undefined) endWithProcess(endWith, endBySignal);
  const ready = readyFile === undefined ? undefined : createReadyFile(readyFile);
  const mock = await createMock(options, { stop: endBySignal });
  server = mock.server;
  const url = await server.start().catch(({ message }: Error) => {
    // A signal while it starts stops it, and ends the process.
    return isEnding ? undefined : fail(EXIT.noPort, message);
  });
  if (url === undefined) return;
  const { dataset, controlToken } = server;
  const generatedToken = options.controlToken === undefined ? controlToken : undefined;
  if (options.logLevel !== 'silent') {
    const refusesUnknownTokens = mock.decisions()['unknown-token'] === 'reject';
    const running = { url, options, dataset, refusesUnknownTokens, generatedToken };
    tell('info', `usage-billing-mock ${packageVersion()} listens on ${url}`, {
      members: bannerMembers(running),
      text: banner(running),
    });
  } else if (generatedToken !== undefined && ready === undefined) {
    // Printed nowhere else, and without it the control plane cannot be called.
    tell('info', 'Token for the control plane', {
      members: { controlToken: generatedToken },
      text: `X-Control-Token: ${generatedToken}\n`,
    });
  }
  logServiceLinks(options);
  ready?.write({ url, token: EXAMPLE_TOKEN, controlToken });
  process.stdout.write(`usage-billing-mock ready on ${url}\n`);
}

function logServiceLinks({ logLevel = 'info', logFormat = 'text' }: MockServerOptions): void {
  const links = serviceLinks();
  if (links.length === 0) return;
  createLogger(logLevel, logFormat, process.stderr).info(
    `Ignored variables that Kubernetes and Docker set as links to a service: ${links.join(', ')}.`,
  );
}
