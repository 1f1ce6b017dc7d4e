import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  type LedgerRow,
} from './billing/decisions.js';
import { shown } from './billing/shown.js';
import type { AccountDeclaration } from './dataset/fixture.js';

/** What a mock server can be told. Everything may be left out. */
export interface MockServerOptions {
  /** The port to listen on; 0 takes a free one. */
  readonly port?: number;
  /** The address to listen on. */
  readonly host?: string;
  /** The name of a dataset in `fixtures/`, or the path of a fixture file. */
  readonly dataset?: string;
  /** The seed of generated records, in place of the fixture's: a whole number below 2^32. */
  readonly seed?: number;
  /** What certain tokens get, beside what the fixture declares: another dataset or seed, or a 401. */
  readonly accounts?: Readonly<Record<string, AccountDeclaration>>;
  /** How many accounts may be open at once; a token beyond gets a 503. */
  readonly maxAccounts?: number;
  /** True to read a fixture again when its file changes; accounts over it are reset. */
  readonly watch?: boolean;
  /** Which log lines are written to standard error. */
  readonly logLevel?: LogLevel;
  /** How a log line looks: for people, or JSON. */
  readonly logFormat?: LogFormat;
  /** Answers to what the specification leaves open, by the ids of `docs/decisions.md`. */
  readonly decisions?: Partial<Decisions>;
}

/** The least important kind of log line that is written. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The look of log lines. */
export type LogFormat = (typeof LOG_FORMATS)[number];

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const LOG_FORMATS = ['text', 'json'] as const;

/** The options with every default in its place. */
export type CompleteOptions = Required<Omit<MockServerOptions, 'seed' | 'decisions'>> & {
  readonly seed: number | undefined;
  readonly decisions: Decisions;
};

/** An option that the command line takes as well. */
export type FlagName = Exclude<keyof MockServerOptions, 'accounts' | 'decisions'>;

/** An option: what it means, its default, its check; and how the command line takes it. */
export interface OptionRow {
  readonly words: string;
  /** What stands for the value in the help; a flag without one is a switch. */
  readonly placeholder?: string;
  /** In words, what a value must be. */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** The default in the library. */
  readonly default?: string | number | boolean;
  /** The default of the command, where people look on, if it is another. */
  readonly commandDefault?: string | number;
  /** What a text of the command line or the environment stands for; itself if left out. */
  readonly parse?: (text: string) => unknown;
}

/** Every option that is a single value. The flag and the environment variable are made from its name. */
export const OPTIONS: { readonly [Name in FlagName]: OptionRow } = {
  port: {
    words: 'port to listen on; 0 takes a free one',
    placeholder: 'number',
    expected: 'a whole number from 0 to 65535',
    isValid: isIntegerUpTo(65_535),
    parse: parseNumber,
    default: 0,
    commandDefault: 4010,
  },
  host: {
    words: 'address to listen on',
    placeholder: 'address',
    expected: 'an address or a host name',
    isValid: isText,
    default: '127.0.0.1',
  },
  dataset: {
    words: 'name of a dataset, or path of a YAML or JSON fixture',
    placeholder: 'name|file',
    expected: 'the name of a dataset or the path of a fixture',
    isValid: isText,
    default: 'default',
  },
  seed: {
    words: "seed of the generated records, in place of the fixture's",
    placeholder: 'number',
    expected: 'a whole number from 0 to 4294967295',
    isValid: isIntegerUpTo(0xffffffff),
    parse: parseNumber,
  },
  maxAccounts: {
    words: 'accounts that may be open at once; a token beyond gets a 503',
    placeholder: 'number',
    expected: 'a whole number from 1 to 4294967295',
    isValid: (value) => value !== 0 && isIntegerUpTo(0xffffffff)(value),
    parse: parseNumber,
    default: 10_000,
  },
  watch: {
    words: 'read a fixture again when its file changes, and reset accounts over it',
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    parse: parseSwitch,
    default: false,
  },
  logLevel: {
    words: `lines to log: ${LOG_LEVELS.join(', ')}`,
    placeholder: 'level',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    isValid: (value) => LOG_LEVELS.some((level) => level === value),
    default: 'silent',
    commandDefault: 'info',
  },
  logFormat: {
    words: `look of the log: ${LOG_FORMATS.join(', ')}`,
    placeholder: 'format',
    expected: `one of ${LOG_FORMATS.join(', ')}`,
    isValid: (value) => LOG_FORMATS.some((format) => format === value),
    default: 'text',
  },
};

/** An option that cannot be used. The message says what was received and what is expected. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Checks the options and fills in the defaults. Throws an `OptionError` for the first mistake. */
export function completeOptions(given: MockServerOptions): CompleteOptions {
  if (typeof given !== 'object' || given === null) {
    throw new OptionError(`The options are ${shown(given)}; expected an object.`);
  }
  const { accounts = {}, decisions = {}, ...others } = given;
  const values = Object.entries(others).filter(([, value]) => value !== undefined);
  for (const [name, value] of values) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const names = [...Object.keys(OPTIONS), 'accounts', 'decisions'].join(', ');
      throw new OptionError(`There is no option '${name}'; expected ${names}.`);
    }
    const { isValid, expected } = OPTIONS[name as FlagName];
    if (!isValid(value)) {
      throw new OptionError(`The option '${name}' is ${shown(value)}; expected ${expected}.`);
    }
  }
  const defaults = Object.entries(OPTIONS).map(([name, row]) => [name, row.default]);
  return {
    ...Object.fromEntries(defaults),
    ...Object.fromEntries(values),
    accounts,
    decisions: completeDecisions(decisions),
  };
}

function completeDecisions(given: Partial<Decisions>): Decisions {
  const checked = Object.entries(given).map(([id, value]) => [id, checkDecision(id, value)]);
  return { ...DEFAULT_DECISIONS, ...Object.fromEntries(checked) };
}

/** The value as the ledger has it: a status may be given as text. */
function checkDecision(id: string, value: unknown): unknown {
  if (!Object.hasOwn(LEDGER, id)) {
    throw new OptionError(
      `There is no decision '${id}'; expected ${Object.keys(LEDGER).join(', ')}.`,
    );
  }
  const row: LedgerRow = LEDGER[id as DecisionId];
  const isPlain = typeof value === 'string' || typeof value === 'number';
  const isKnown = Object.hasOwn(row.values, String(value)) || row.form?.test(String(value));
  if (!isPlain || !isKnown) {
    const values = Object.keys(row.values).join(', ');
    throw new OptionError(`The decision '${id}' is ${shown(value)}; expected ${values}.`);
  }
  if (row.isDefaultOnly && value !== row.default) {
    throw new OptionError(`The decision '${id}' cannot be switched yet; expected ${row.default}.`);
  }
  return typeof row.default === 'number' ? Number(value) : value;
}

/** The number that the text is in decimal digits; any other text as it is, for the check to refuse. */
function parseNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** What a switch is told by an environment variable. */
function parseSwitch(text: string): unknown {
  const meanings: Readonly<Record<string, boolean>> = {
    true: true,
    1: true,
    false: false,
    0: false,
  };
  return meanings[text] ?? text;
}

function isIntegerUpTo(most: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
