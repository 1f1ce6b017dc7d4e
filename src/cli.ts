#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { banner } from './banner.js';
import { FixtureError } from './dataset/fixture-file.js';
import { createMockServer, type MockServer } from './mock-server.js';
import { type MockServerOptions, OPTIONS, OptionError, type OptionRow } from './options.js';
import { packageVersion } from './package-files.js';

const EXIT_WRONG_USE = 2;
const EXIT_NO_PORT = 3;

async function main(): Promise<void> {
  // A reader that has gone away must not take the server along.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const options = parseArguments(process.argv);
  let server: MockServer | undefined;
  stopOnSignals(() => server?.stop());
  server = await createMockServer(options);
  const url = await server.start().catch((error: NodeJS.ErrnoException) => {
    fail(EXIT_NO_PORT, `Cannot listen on ${options.host}:${options.port}: ${reasonOf(error)}`);
  });
  process.stderr.write(
    banner({
      version: packageVersion(),
      url,
      datasetName: String(options.dataset),
      dataset: server.dataset,
    }),
  );
  process.stdout.write(`usage-billing-mock ready on ${url}\n`);
}

function parseArguments(argv: readonly string[]): MockServerOptions {
  const program = new Command('usage-billing-mock')
    .description('An in-memory mock of a usage-based billing service, for tests and development.')
    .version(packageVersion())
    .exitOverride();
  for (const [name, row] of Object.entries(OPTIONS)) program.addOption(commandOption(name, row));
  program.addHelpText('after', '\nA flag wins over its environment variable.');
  return program.parse(argv as string[]).opts();
}

/** The option as flag and environment variable, both made from its name. */
function commandOption(name: string, row: OptionRow): Option {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  const variable = `USAGE_BILLING_MOCK_${words.join('_').toUpperCase()}`;
  // An empty variable is one that somebody has left out, as in a compose file.
  if (process.env[variable] === '') delete process.env[variable];
  const flag = `--${words.join('-')}`;
  return new Option(row.placeholder ? `${flag} <${row.placeholder}>` : flag, row.words)
    .env(variable)
    .default(row.commandDefault ?? row.default)
    .argParser((text) => {
      const value = row.parse?.(text) ?? text;
      if (!row.isValid(value)) throw new InvalidArgumentError(`Expected ${row.expected}.`);
      return value;
    });
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

function stopOnSignals(stop: () => Promise<void> | undefined): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await stop();
      process.exit(0);
    });
  }
}

function fail(exitCode: number, sentence: string): never {
  process.stderr.write(`usage-billing-mock: ${sentence}\n`);
  process.exit(exitCode);
}

main().catch((error: unknown) => {
  // Commander has written its own sentence; --help and --version end here too.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT_WRONG_USE);
  if (error instanceof OptionError || error instanceof FixtureError) {
    fail(EXIT_WRONG_USE, error.message);
  }
  throw error;
});
