#!/usr/bin/env node
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { banner } from './banner.js';
import { shown } from './billing/shown.js';
import { FixtureError, readFixtureFile } from './dataset/fixture-file.js';
import { decisionsAsJson, decisionsForPeople } from './decisions-list.js';
import { createMockServer, type MockServer } from './mock-server.js';
import {
  flagOf,
  type MockServerOptions,
  OPTIONS,
  type OptionRow,
  VARIABLE_PREFIX,
  variableOf,
} from './option-table.js';
import { decisionOfText, OptionError, unknownName } from './options.js';
import { packageVersion } from './package-files.js';

const DECIDE_VARIABLE = variableOf('decide');
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
      hasControl: options.control !== false,
      controlToken: server.controlToken,
    }),
  );
  process.stdout.write(`usage-billing-mock ready on ${url}\n`);
}

function parseArguments(argv: readonly string[]): MockServerOptions {
  const program = new Command('usage-billing-mock')
    .description('An in-memory mock of a usage-based billing service, for tests and development.')
    .version(packageVersion())
    .exitOverride()
    .addHelpText('after', '\nA flag wins over its environment variable.');
  const flags = Object.entries(OPTIONS).map(([name, row]) => {
    const flag = commandOption(name, row);
    program.addOption(flag);
    return { name, row, key: flag.attributeName() };
  });
  program.addOption(
    new Option(
      '--decide <id=value>',
      `switch a decision of docs/decisions.md; may be repeated (env: ${DECIDE_VARIABLE}, by commas)`,
    ).argParser((text, before: readonly string[] = []) => [...before, text]),
  );
  program.option('--decisions <file>', 'YAML or JSON file of decisions by their ids');
  addDecisionsCommand(program);
  program.action(() => {}).parse(argv as string[]);
  refuseUnknownVariables();
  const values = flags.map(({ name, row, key }) => {
    // An empty variable is one that somebody has left out, as in a compose file.
    const text = process.env[variableOf(name)];
    const isVariable = text && program.getOptionValueSource(key) !== 'cli';
    const value = isVariable
      ? checkedValue(row, text, variableOf(name))
      : program.getOptionValue(key);
    return [name, value];
  });
  const { decisions, decide } = program.opts<{ decisions?: string; decide?: string[] }>();
  return {
    ...Object.fromEntries(values),
    decisions: { ...decisionsOfFile(decisions), ...decisionsOf(decide) },
  };
}

/** `usage-billing-mock decisions`: prints the ledger and ends. */
function addDecisionsCommand(program: Command): void {
  program
    .command('decisions')
    .description('print the decisions that can be switched, the default of each marked with *')
    .option('--json', 'as a JSON array')
    .action(({ json }: { readonly json?: true }) => {
      process.stdout.write(json ? decisionsAsJson() : decisionsForPeople());
      throw new CommanderError(0, 'printed', 'The decisions were printed.');
    });
}

/** The decisions that a file has; none if there is no file. */
function decisionsOfFile(path: string | undefined): object {
  if (path === undefined) return {};
  const { value } = readFixtureFile(resolve(path));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new OptionError(
    `${path} is ${shown(value)}; expected decisions such as repeat-delete: gone.`,
  );
}

/** The decisions of the environment, and over them those of the flags. */
function decisionsOf(flags: readonly string[] = []): Record<string, string> {
  const variables = process.env[DECIDE_VARIABLE]?.split(',').filter((text) => text.trim() !== '');
  return Object.fromEntries([...(variables ?? []), ...flags].map(decisionOfText));
}

/** The option as a flag. */
function commandOption(name: string, row: OptionRow): Option {
  const flag = flagOf(name, row);
  const byDefault = row.commandDefault ?? row.default;
  const words = `${row.words} (env: ${variableOf(name)})`;
  const option = new Option(row.placeholder ? `${flag} <${row.placeholder}>` : flag, words);
  if (row.default !== true) option.default(byDefault);
  return row.placeholder ? option.argParser((text) => checkedValue(row, text, flag)) : option;
}

/** A variable with a typing error would be ignored in silence. */
function refuseUnknownVariables(): void {
  const known = [...Object.keys(OPTIONS).map(variableOf), DECIDE_VARIABLE];
  const unknown = Object.keys(process.env).find(
    (variable) => variable.startsWith(VARIABLE_PREFIX) && !known.includes(variable),
  );
  if (unknown) {
    throw unknownName(`There is no variable ${unknown}`, unknown, known);
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
    let isStopping = false;
    process.on(signal, async () => {
      // A second signal does not cut short what the first began: it takes half a second at most.
      if (isStopping) return;
      isStopping = true;
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
