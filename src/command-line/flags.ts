import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { shown } from '../billing/shown.js';
import { readFixtureFile } from '../dataset/fixture-file.js';
import { TOKEN_VARIABLE, URL_VARIABLE } from '../matrix/run-command.js';
import {
  type FlagName,
  flagOf,
  type MockServerOptions,
  OPTIONS,
  type OptionRow,
  VARIABLE_PREFIX,
  variableOf,
} from '../option-table.js';
import { decisionOfText, OptionError, unknownName } from '../options.js';

/** Every option that a flag and an environment variable can give. */
export const FLAG_NAMES = Object.keys(OPTIONS) as FlagName[];

const DECIDE_VARIABLE = variableOf('decide');

/** Adds flags for these options, and those that switch decisions. */
export function addFlags(command: Command, names: readonly FlagName[]): void {
  for (const name of names) command.addOption(commandOption(name, OPTIONS[name]));
  command.addOption(
    new Option(
      '--decide <id=value>',
      `switch a decision of docs/decisions.md; may be repeated (env: ${DECIDE_VARIABLE}, by commas)`,
    ).argParser(collect),
  );
  command.option('--decisions <file>', 'YAML or JSON file of decisions by their ids');
}

/** Gathers the values of a flag that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** The options as the flags and the environment give them; a flag wins. */
export function optionsOf(command: Command, names: readonly FlagName[]): MockServerOptions {
  refuseUnknownVariables();
  const values = names.map((name) => {
    const row = OPTIONS[name];
    const key = commandOption(name, row).attributeName();
    // An empty variable is one that somebody has left out, as in a compose file.
    const text = process.env[variableOf(name)];
    const isVariable = text && command.getOptionValueSource(key) !== 'cli';
    const value = isVariable
      ? checkedValue(row, text, variableOf(name))
      : command.getOptionValue(key);
    return [name, value];
  });
  const { decisions, decide } = command.opts<{ decisions?: string; decide?: string[] }>();
  return {
    ...Object.fromEntries(values),
    decisions: { ...decisionsOfFile(decisions), ...decisionsOf(decide) },
  };
}

/** The option as a flag. */
function commandOption(name: string, row: OptionRow): Option {
  const flag = flagOf(name, row);
  const words = `${row.words} (env: ${variableOf(name)})`;
  const option = new Option(row.placeholder ? `${flag} <${row.placeholder}>` : flag, words);
  if (row.default !== true) option.default(row.commandDefault ?? row.default);
  return row.placeholder ? option.argParser((text) => checkedValue(row, text, flag)) : option;
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

/** A variable with a typing error would be ignored in silence. */
function refuseUnknownVariables(): void {
  const known = [...FLAG_NAMES.map(variableOf), DECIDE_VARIABLE];
  // These are handed by the matrix to a command that may start a mock of its own.
  const ignored = [URL_VARIABLE, TOKEN_VARIABLE];
  const unknown = Object.keys(process.env).find(
    (variable) =>
      variable.startsWith(VARIABLE_PREFIX) && ![...known, ...ignored].includes(variable),
  );
  if (unknown) throw unknownName(`There is no variable ${unknown}`, unknown, known);
}

function checkedValue(row: OptionRow, text: string, source: string): unknown {
  const value = row.parse ? row.parse(text) : text;
  if (row.isValid(value)) return value;
  throw new OptionError(`${source} is ${shown(text)}; expected ${row.expected}.`);
}
