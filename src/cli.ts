#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import { banner } from './banner.js';
import { shown } from './billing/shown.js';
import { FixtureError } from './dataset/fixture-file.js';
import { createMockServer, type MockServer } from './mock-server.js';
import { type MockServerOptions, OPTIONS, OptionError, type OptionRow } from './options.js';
import { packageVersion } from './package-files.js';

const VARIABLE_PREFIX = 'USAGE_BILLING_MOCK_';
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
  refuseUnknownVariables();
  program.addHelpText('after', '\nA flag wins over its environment variable.');
  return program.parse(argv as string[]).opts();
}

/** The option as flag and environment variable, both made from its name. */
function commandOption(name: string, row: OptionRow): Option {
  const variable = variableOf(name);
  const flag = `--${wordsOf(name).join('-')}`;
  const byDefault = row.commandDefault ?? row.default;
  // An empty variable is one that somebody has left out, as in a compose file.
  const given = process.env[variable] || undefined;
  return new Option(
    row.placeholder ? `${flag} <${row.placeholder}>` : flag,
    `${row.words} (env: ${variable})`,
  )
    .default(
      given === undefined ? byDefault : checkedValue(row, given, variable),
      String(byDefault),
    )
    .argParser((text) => row.placeholder === undefined || checkedValue(row, text, flag));
}

function wordsOf(name: string): string[] {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
}

function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${wordsOf(name).join('_').toUpperCase()}`;
}

/** A variable with a typing error would be ignored in silence. */
function refuseUnknownVariables(): void {
  const known = Object.keys(OPTIONS).map(variableOf);
  const unknown = Object.keys(process.env).find(
    (variable) => variable.startsWith(VARIABLE_PREFIX) && !known.includes(variable),
  );
  if (unknown) {
    throw new OptionError(`There is no variable ${unknown}; expected ${known.join(', ')}.`);
  }
}

function checkedValue(row: OptionRow, text: string, source: string): unknown {
  const value = row.parse ? row.parse(text) : text;
  if (row.isValid(value)) return value;
  throw new OptionError(`${source} is ${shown(text)}; expected ${row.expected}.`);
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
