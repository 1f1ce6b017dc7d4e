import { Command, CommanderError, type HelpConfiguration } from 'commander';
import { FixtureError } from '../core/datasets/fixture/parse-fixture.js';
import { OptionError, unknownOption } from '../core/errors/option-error.js';
import { didYouMean } from '../core/values/did-you-mean.js';
import { packageVersion } from '../host/server/documents/package-files.js';
import { EXIT, fail, failUnexpectedly, tell } from '../host/terminal/exit.js';
import { addFlags, FLAG_NAMES, optionsOf } from '../host/terminal/flags-and-variables.js';
import { addMatrix } from '../tools/matrix/command/matrix-command.js';
import { addSettle } from '../tools/settle/command/settle-command.js';
import { addCoverageCommand } from './coverage-command.js';
import { addDecisions } from './decisions-command.js';
import { addExec } from './exec/exec-command.js';
import { addFixture } from './fixture/fixture-command.js';
import { serve } from './serve.js';

export function createProgram(): Command {
  const program = new Command('usage-billing-mock')
    .description('An in-memory mock of a usage-based billing service, for tests and development.')
    .version(packageVersion())
    .exitOverride()
    .configureHelp(HELP)
    .configureOutput({
      outputError: (text) => tell('fatal', sentenceOf(text)),
    })
    .allowExcessArguments()
    .enablePositionalOptions()
    .helpCommand(true)
    .addHelpText('after', ({ command }) => afterword(command))
    .action(() => {
      refuseUnknownCommand(program, program.args[0]);
      return serve(optionsOf(program, FLAG_NAMES));
    });
  addFlags(program, FLAG_NAMES);
  addExec(program);
  addMatrix(program);
  addSettle(program);
  addFixture(program);
  addDecisions(program);
  addCoverageCommand(program);
  return program;
}

/** Turns an error message of commander into a sentence on one line. */
function sentenceOf(text: string): string {
  return text
    .replace(/^error: (.)/, (_error, letter: string) => letter.toUpperCase())
    .trim()
    .replaceAll('\n', ' ');
}

function refuseUnknownCommand({ commands }: Command, word: string | undefined): void {
  const known = [...commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  const isFixture = /\.(ya?ml|json)$/i.test(word);
  // `serve` is what happens without a command, and resembles the name of another by chance.
  const suggested = word === 'serve' ? undefined : didYouMean(word, known);
  const question = isFixture ? `Did you mean '--dataset ${word}'?` : suggested;
  const orNone = 'no command, to serve the mock with flags such as --dataset';
  throw unknownOption(`command '${word}'`, [...known, orNone], question);
}

export async function main(): Promise<void> {
  // A reader that closes its pipe must not end the server.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  process.on('uncaughtException', failUnexpectedly);
  try {
    const program = createProgram();
    // Before flags are parsed: those of a misspelt command would be reported instead.
    refuseUnknownCommand(program, process.argv[2]);
    await program.parseAsync(process.argv);
  } catch (error) {
    // Commander has already reported the error; --help and --version end here, too.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT.wrongUse);
    if (error instanceof OptionError || error instanceof FixtureError) {
      fail(EXIT.wrongUse, error.message);
    }
    throw error;
  }
}

/** The minimum width at which descriptions are beside their flags, not below. */
const MIN_COLUMNS_BESIDE = 80;
const INDENT_BELOW = 4;
const INDENT = 2;

/** Wrapped like the descriptions above it. */
function afterword(command: Command): string {
  const { getOutHelpWidth } = command.configureOutput();
  return command.createHelp().boxWrap(AFTERWORD, getOutHelpWidth?.() ?? MIN_COLUMNS_BESIDE);
}

const AFTERWORD = `
Examples:
  usage-billing-mock --port 4010
  usage-billing-mock exec -- npm test

A flag overrides its environment variable. Limits: 10 MB for the body of a request, 4 MB for the body of a control call, 512 MB for a file, and 100 levels of nested JSON or YAML.`;

/** Puts descriptions below their flags on narrow terminals, where commander would not wrap them. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 20,
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = MIN_COLUMNS_BESIDE } = helper;
    const isBeside = helpWidth >= MIN_COLUMNS_BESIDE;
    const indent = isBeside ? INDENT + termWidth + INDENT : INDENT_BELOW;
    const wrapped = helper.boxWrap(description, helpWidth - indent);
    const below = wrapped.replaceAll(/^/gm, ' '.repeat(indent));
    const left = ' '.repeat(INDENT) + term;
    return isBeside ? left.padEnd(indent) + below.trimStart() : `${left}\n${below}`;
  },
};
