import { type Command, Option } from 'commander';
import { combineChanges } from '../decisions/decision-changes.js';
import { COMMAND_OPTIONS } from '../options/command-options.js';
import { decisionOfText, invalidValue } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { flagOf, variableOf } from '../options/option-names.js';
import { type FlagName, OPTIONS, type OptionRow } from '../options/option-table.js';
import { readDecisionsFile } from './decisions-file.js';
import { refuseUnknownVariables, variableValue } from './variables.js';

/** Every option that has a flag and an environment variable. */
export const FLAG_NAMES = Object.keys(OPTIONS) as FlagName[];

/** The options of the command that are not options of the server. */
type CommandOptionName = keyof typeof COMMAND_OPTIONS;

/** Adds flags for these options. */
export function addFlags(
  command: Command,
  names: readonly FlagName[],
  commandNames: readonly CommandOptionName[],
): void {
  for (const name of names) command.addOption(commandOption(name, OPTIONS[name]));
  for (const name of commandNames) {
    const option = commandOption(name, COMMAND_OPTIONS[name]);
    command.addOption(name === 'decide' ? option.argParser(collect) : option);
  }
}

/** Gathers the values of a flag that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** The options from the flags and the environment; a flag overrides its variable. */
export function optionsOf(command: Command, names: readonly FlagName[]): MockServerOptions {
  refuseUnknownVariables();
  const values = names.map((name) => [name, givenValue(command, name, OPTIONS[name])]);
  const { decide } = command.opts<{ decide?: string[] }>();
  const decisionsFile = pathOf(command, 'decisions');
  return {
    ...Object.fromEntries(values),
    decisions: combineChanges([
      decisionsFile === undefined ? {} : readDecisionsFile(decisionsFile),
      decisionsOf(decide),
    ]),
  };
}

/** The path from the flag or the environment, if there is one. */
export function pathOf(
  command: Command,
  name: Exclude<CommandOptionName, 'decide'>,
): string | undefined {
  return givenValue(command, name, COMMAND_OPTIONS[name]) as string | undefined;
}

function givenValue(command: Command, name: string, row: OptionRow): unknown {
  const key = commandOption(name, row).attributeName();
  const text = variableValue(name);
  const isVariable = text && command.getOptionValueSource(key) !== 'cli';
  return isVariable ? checkedValue(row, text, variableOf(name)) : command.getOptionValue(key);
}

/** The option as a flag. */
function commandOption(name: string, row: OptionRow): Option {
  const flag = flagOf(name, row);
  const words = `${row.words}\n(env: ${variableOf(name)})`;
  const option = new Option(row.placeholder ? `${flag} <${row.placeholder}>` : flag, words);
  const value = row.commandDefault ?? row.default;
  // A switch is off and a list is empty by default: the help need not say so.
  if (typeof value === 'string' || typeof value === 'number') option.default(value);
  if (!row.placeholder) return option;
  if (!Array.isArray(row.default)) return option.argParser((text) => checkedValue(row, text, flag));
  // A flag that has a list may be repeated.
  return option.argParser((text, before: readonly unknown[] = []) => [
    ...before,
    ...(checkedValue(row, text, flag) as readonly unknown[]),
  ]);
}

/** The decisions of the environment, overridden by those of the flags. */
function decisionsOf(flags: readonly string[] = []): Record<string, string> {
  const variable = variableValue('decide') ?? '';
  const variables = variable.split(',').filter((text) => text.trim() !== '');
  return Object.fromEntries([
    ...variables.map((text) => decisionOfText(text, variableOf('decide'))),
    ...flags.map((text) => decisionOfText(text, '--decide')),
  ]);
}

function checkedValue(row: OptionRow, text: string, source: string): unknown {
  const value = row.parse ? row.parse(text) : text;
  if (row.isValid(value)) return value;
  throw invalidValue(source, text, value, row);
}
