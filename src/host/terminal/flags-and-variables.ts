import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { FixtureError } from '../../core/datasets/fixture/parse-fixture.js';
import { combineChanges, type GivenChanges } from '../../core/decisions/decision-changes.js';
import { wrongChanges } from '../../core/decisions/wrong-decisions.js';
import { invalidValue, unknownOption } from '../../core/errors/option-error.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { isObject } from '../../core/values/json-value.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { type OptionKind, wholeNumber } from '../options/option-kinds.js';
import {
  COMMAND_OPTIONS,
  flagOf,
  OPTIONS,
  type OptionRow,
  VARIABLE_PREFIX,
  variableOf,
} from '../options/option-table.js';
import { readFixtureFile } from '../server/datasets/fixture-files.js';
import { COMMAND_VARIABLES } from '../server/process/run-environment.js';

const ROWS = { ...OPTIONS, ...COMMAND_OPTIONS };

export type FlagName = keyof typeof ROWS;

export const FLAG_NAMES = Object.keys(ROWS) as readonly FlagName[];

/** The headings in the help from these flags on; a heading may come again. */
const HEADINGS: { readonly [Name in FlagName]?: string } = {
  port: 'Address',
  dataset: 'Data and accounts',
  latency: 'Behaviour',
  journalSize: 'Journal and coverage',
  control: 'Control plane',
  explain: 'Behaviour',
  logLevel: 'Log',
  decide: 'Behaviour',
  endWith: 'Process',
};

/** Returns the flags below each heading, in the order of the help. */
export function flagsByHeading(): ReadonlyMap<string, readonly FlagName[]> {
  const groups = new Map<string, readonly FlagName[]>();
  let heading = '';
  for (const name of FLAG_NAMES) {
    heading = HEADINGS[name] ?? heading;
    groups.set(heading, [...(groups.get(heading) ?? []), name]);
  }
  return groups;
}

export function addFlags(command: Command, names: readonly FlagName[]): void {
  for (const [heading, group] of flagsByHeading())
    for (const name of group.filter((one) => names.includes(one)))
      command.addOption(flagFor(name, ROWS[name]).helpGroup(`${heading}:`));
}

/** Creates a flag of a subcommand that accepts a whole number from 1; it has no variable. */
export function count(flags: string, words: string): Option {
  const [flag = ''] = flags.split(' ');
  const kind = wholeNumber(1, 999_999);
  return new Option(flags, words).argParser((text) => readValue(kind, text, flag));
}

/** A parser for commander that gathers the values of a repeated flag. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Options that only the command has. */
export interface CommandOptions {
  readonly endWith?: number;
  readonly readyFile?: string;
}

/** The options from the flags and the environment; a flag overrides its variable. */
export function optionsOf(
  command: Command,
  names: readonly FlagName[],
): MockServerOptions & CommandOptions {
  refuseUnknownVariables();
  const single = names.filter((name) => name !== 'decide');
  const values = single.map((name) => [name, givenValue(command, name)]);
  const { decisions: file, ...options } = Object.fromEntries(values);
  const inFile = file === undefined ? {} : readDecisionsFile(file);
  return { ...options, decisions: combineChanges([inFile, decisionsOf(command.opts())]) };
}

/** Reads a file of decisions. Throws an error with a line for each mistake. */
export function readDecisionsFile(path: string): GivenChanges {
  const { value, explain } = readFixtureFile(resolve(path));
  if (!isObject(value)) {
    const expected = 'decisions such as repeat-delete: gone';
    throw invalidValue(path, value, { expected });
  }
  const mistakes = [...wrongChanges(value, 'server')];
  if (mistakes.length > 0) throw new FixtureError(explain(mistakes).join('\n'));
  return value;
}

function givenValue(command: Command, name: FlagName): unknown {
  const row = ROWS[name];
  const key = flagFor(name, row).attributeName();
  const text = variableValue(name);
  return text === undefined || command.getOptionValueSource(key) === 'cli'
    ? command.getOptionValue(key)
    : readValue(row, text, variableOf(name));
}

/** The decisions of `--decide` override those of its variable. */
function decisionsOf({ decide = [] }: { readonly decide?: readonly string[] }): GivenChanges {
  const variables = (variableValue('decide') ?? '').split(',').filter((text) => text.trim() !== '');
  const pairOf = (source: string) => (text: string) =>
    readValue(COMMAND_OPTIONS.decide, text, source) as readonly [id: string, value: string];
  return Object.fromEntries([
    ...variables.map(pairOf(variableOf('decide'))),
    ...decide.map(pairOf('--decide')),
  ]);
}

function flagFor(name: string, row: OptionRow): Option {
  const flag = flagOf(name, row);
  const words = `${row.words}\n(env: ${variableOf(name)})`;
  const option = new Option(row.placeholder ? `${flag} <${row.placeholder}>` : flag, words);
  const value = row.commandDefault ?? row.default;
  // A switch is off and a list is empty by default: the help need not say so.
  if (typeof value === 'string' || typeof value === 'number') option.default(value);
  if (name === 'decide') return option.argParser(collect);
  if (!row.placeholder) return option;
  // Flags with lists may be repeated.
  return option.argParser((text, before: unknown = []) => {
    const given = readValue(row, text, flag);
    return Array.isArray(given) && Array.isArray(before) ? [...before, ...given] : given;
  });
}

function readValue(kind: OptionKind, text: string, source: string): unknown {
  const value = kind.parse ? kind.parse(text) : text;
  if (kind.isValid(value)) return value;
  throw invalidValue(source, value, kind, text);
}

/** The value of an option in the environment. Ignores variables that Docker or Kubernetes sets. */
export function variableValue(name: FlagName): string | undefined {
  const variable = variableOf(name);
  // An empty variable counts as unset, as in a compose file.
  return isServiceLink(variable) ? undefined : process.env[variable] || undefined;
}

/** A misspelt variable would otherwise be ignored silently. */
function refuseUnknownVariables(): void {
  const known = FLAG_NAMES.map(variableOf);
  // `matrix` sets the first three for its command, which may start another mock.
  const ignored = [...Object.values<string>(COMMAND_VARIABLES), ...serviceLinks()];
  const unknown = Object.keys(process.env).find(
    (variable) =>
      variable.startsWith(VARIABLE_PREFIX) && ![...known, ...ignored].includes(variable),
  );
  if (unknown === undefined) return;
  throw unknownOption(`variable ${unknown}`, known, didYouMean(unknown, known));
}

/** The variables that Kubernetes and Docker set if a Service or linked container has the mock's name. */
export function serviceLinks(): readonly string[] {
  return Object.keys(process.env).filter(isServiceLink);
}

/** The names of links, and what their values look like if options could have such names. */
const SERVICE_LINKS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/_SERVICE_(HOST|PORT)$|_SERVICE_PORT_\w/, /^/],
  [/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|ADDR|PORT(_(START|END))?))?$/, /^/],
  [/_PORT$/, /^(tcp|udp|sctp):\/\/\S+:\d+$/],
  [/_NAME$/, /^\/[\w.-]+\/[\w.-]+$/],
  [/_ENV_\w/, /^/],
];

function isServiceLink(variable: string): boolean {
  const text = process.env[variable] ?? '';
  return (
    variable.startsWith(VARIABLE_PREFIX) &&
    SERVICE_LINKS.some(([name, value]) => name.test(variable) && value.test(text))
  );
}
