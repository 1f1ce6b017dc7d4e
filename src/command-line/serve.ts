import type { MockServerOptions } from '../options/option-table.js';
import { createLogger } from '../server/log.js';
import { createMockServer } from '../server/mock-server.js';
import type { MockServer } from '../server/mock-server-interface.js';
import { packageVersion } from '../server/package-files.js';
import { banner, demandedHeader, EXAMPLE_TOKEN } from './banner.js';
import { EXIT, fail, onSignals } from './exit.js';
import { createReadyFile } from './ready-file.js';
import { serviceLinks } from './variables.js';

/** `usage-billing-mock`: serves until it is stopped; the ready file is there as long as it serves. */
export async function serve(
  options: MockServerOptions,
  readyFile: string | undefined,
): Promise<void> {
  let server: MockServer | undefined;
  onSignals(
    () => 0,
    () => server?.stop(),
  );
  const ready = readyFile === undefined ? undefined : createReadyFile(readyFile);
  server = await createMockServer(options);
  const url = await server.start().catch((error: NodeJS.ErrnoException) => {
    fail(EXIT.noPort, `Cannot listen on ${options.host}:${options.port}: ${reasonOf(error)}`);
  });
  const { controlToken } = server;
  const madeToken = options.controlToken === undefined ? controlToken : undefined;
  if (options.logLevel !== 'silent') {
    process.stderr.write(
      banner({
        version: packageVersion(),
        url,
        datasetName: String(options.dataset),
        dataset: server.dataset,
        hasControl: options.control !== false,
        madeToken,
      }),
    );
  } else if (madeToken !== undefined && ready === undefined) {
    // Said nowhere else, and without it nobody reaches the control plane.
    process.stderr.write(`${demandedHeader(madeToken)}\n`);
  }
  tellOfServiceLinks(options);
  ready?.write({ url, token: EXAMPLE_TOKEN, controlToken });
  process.stdout.write(`usage-billing-mock ready on ${url}\n`);
}

function tellOfServiceLinks({ logLevel = 'info', logFormat = 'text' }: MockServerOptions): void {
  const links = serviceLinks();
  if (links.length === 0) return;
  createLogger(logLevel, logFormat, process.stderr).info(
    `Variables that Kubernetes sets for a Service are passed over: ${links.join(', ')}.`,
  );
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is taken. Choose another with --port, or --port 0 for a free one.',
    EACCES: 'the port needs more rights. Choose one above 1023 with --port.',
    EADDRNOTAVAIL: 'this machine does not have the address. Choose another with --host.',
    ENOTFOUND: 'the host name is not known. Choose another with --host.',
  };
  return reasons[code ?? ''] ?? message;
}
