import { EXPECTED_LATENCY, latencyRangeOf } from '../../core/values/latency-range.js';
import { DAY_OR_INSTANT, instantOf, parseDurationMs } from '../../core/values/time.js';
import {
  LOG_FORMATS,
  LOG_LEVELS,
  type MockOptions,
  type MockServerOptions,
} from './mock-server-options.js';
import {
  BASE_PATH,
  FILE,
  listOf,
  type OptionKind,
  ORIGINS,
  oneOf,
  SWITCH,
  text,
  wholeNumber,
} from './option-kinds.js';

/** The syntax `token68` of RFC 9110, section 11.2. */
const CONTROL_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** An option that the command line also accepts. */
export type FlagName = Exclude<
  keyof MockServerOptions,
  'accounts' | 'decisions' | 'faults' | 'stubs' | 'routes'
>;

/** An option: its meaning, its default, what it may be, and its form on the command line. */
export interface OptionRow extends OptionKind {
  readonly words: string;
  /** The flag, if it is not derived from the name. */
  readonly flag?: string;
  /** The default in the library. */
  readonly default?: string | number | boolean | readonly string[];
  /** The default of the command, if it differs. */
  readonly commandDefault?: string | number;
  /** True if a mock in a page does not have it. */
  readonly isForServer?: true;
  /** The option that this one needs, and the value of that option with which it has no effect. */
  readonly needs?: { readonly option: FlagName; readonly otherThan?: unknown };
}

type ForServer = { readonly isForServer: true };
const FOR_SERVER: ForServer = { isForServer: true };

const UINT32 = 0xffffffff;
const UINT16 = 0xffff;

/** Every option of the library that has a flag. Its variable is derived from its name. */
export const OPTIONS = {
  port: {
    ...FOR_SERVER,
    words: 'port to listen on; 0 picks a free one',
    ...wholeNumber(0, 65_535),
    default: 0,
    commandDefault: 4010,
  },
  host: {
    ...FOR_SERVER,
    words: 'address to listen on',
    ...text('address', 'an address or a host name'),
    default: '127.0.0.1',
  },
  basePath: { words: 'path below which to serve everything, such as /v1', ...BASE_PATH },
  tlsCert: {
    ...FOR_SERVER,
    words: 'PEM certificate for serving HTTPS; requires --tls-key',
    ...FILE,
    needs: { option: 'tlsKey' },
  },
  tlsKey: {
    ...FOR_SERVER,
    words: 'PEM private key for the certificate',
    ...FILE,
    needs: { option: 'tlsCert' },
  },
  dataset: {
    ...FOR_SERVER,
    words: 'dataset to serve: its name, or the path of a YAML or JSON fixture',
    ...text('name|file', 'the name of a dataset or the path of a fixture'),
    default: 'default',
  },
  seed: {
    words: "seed for generated records; overrides the fixture's",
    ...wholeNumber(0, UINT32),
  },
  scenario: {
    words: 'open every account in this scenario of the fixture',
    ...text('name', 'the name of a scenario'),
  },
  now: {
    words: 'freeze all clocks at this day or instant, and count relative dates from it',
    placeholder: 'date',
    expected: DAY_OR_INSTANT,
    isValid: (value) => typeof value === 'string' && instantOf(value) !== undefined,
  },
  maxAccounts: {
    words: 'maximum number of open accounts; further tokens get a 503',
    ...wholeNumber(1, UINT32),
    default: 10_000,
  },
  closeIdleAfter: {
    ...FOR_SERVER,
    words: 'close accounts that have been idle for this long, such as 30m',
    placeholder: 'duration',
    expected: "a duration of at least 1ms, such as '30m', '90s' or '2h'",
    isValid: (value) =>
      typeof value === 'string' && value.length < 11 && parseDurationMs(value) > 0,
  },
  watch: {
    ...FOR_SERVER,
    words: 'reload a fixture when its file changes, and reset the affected accounts',
    ...SWITCH,
    default: false,
  },
  stateFile: {
    ...FOR_SERVER,
    words: 'keep the state of accounts in this file (mode 0600) from one run to the next',
    ...FILE,
  },
  latency: {
    words: 'delay each response by this many ms, or by a number from a range such as 20..200',
    placeholder: 'ms',
    expected: EXPECTED_LATENCY,
    isValid: (value) => latencyRangeOf(value) !== undefined,
    default: 0,
  },
  journalSize: {
    words:
      "how many requests to keep in each account's journal, and 50 times as many in total; 0 keeps none",
    ...wholeNumber(0, UINT32),
    default: 1_000,
  },
  recentBodies: {
    words: 'how many recent response bodies to keep, each of at most 16 kB',
    ...wholeNumber(0, UINT16),
    default: 0,
    commandDefault: 500,
  },
  captureBodies: {
    words: 'keep response bodies in the journal, so that HAR archives have them',
    ...SWITCH,
    needs: { option: 'journalSize', otherThan: 0 },
    default: false,
  },
  journalFile: {
    ...FOR_SERVER,
    words:
      'append a line of JSON to this file (mode 0600) for each request to the service and its outcome',
    ...FILE,
  },
  coverage: {
    ...FOR_SERVER,
    words: 'append the coverage to this file (mode 0600); see docs/coverage.md',
    ...FILE,
  },
  control: { ...FOR_SERVER, words: 'disable the control plane', ...SWITCH, default: true },
  ui: { ...FOR_SERVER, words: 'do not serve the page at /__control/ui', ...SWITCH, default: true },
  controlToken: {
    ...FOR_SERVER,
    words: 'require this token, in X-Control-Token, for calls to the control plane',
    placeholder: 'token',
    expected: 'letters, digits and any of -._~+/, with = only at the end',
    isValid: (value) => typeof value === 'string' && CONTROL_TOKEN.test(value),
    needs: { option: 'control', otherThan: false },
  },
  allowedHosts: {
    ...FOR_SERVER,
    words: 'accept these host names in calls to the control plane; repeatable, or comma-separated',
    flag: '--allowed-host',
    ...listOf('names', 'host names without ports', (name) => !/[\s,/:]/.test(name)),
    needs: { option: 'control', otherThan: false },
    default: [],
  },
  allowedOrigins: {
    ...FOR_SERVER,
    words: 'let pages from this origin call the control plane; repeatable, or comma-separated',
    flag: '--allowed-origin',
    ...ORIGINS,
    needs: { option: 'control', otherThan: false },
    default: [],
  },
  explain: {
    words: 'send a Decisions header that names the decisions behind each response',
    ...SWITCH,
    default: false,
  },
  logLevel: {
    ...FOR_SERVER,
    words: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    ...oneOf('level', LOG_LEVELS),
    default: 'silent',
    commandDefault: 'info',
  },
  logFormat: {
    ...FOR_SERVER,
    words: `format of log lines: ${LOG_FORMATS.join(', ')}`,
    ...oneOf('format', LOG_FORMATS),
    default: 'text',
  },
} as const satisfies {
  readonly [Name in FlagName]: OptionRow &
    (Name extends keyof MockOptions ? { readonly isForServer?: never } : ForServer);
};

/** Options that only the command has: files, and single decisions. */
export const COMMAND_OPTIONS = {
  decide: {
    words:
      'switch a decision (see docs/decisions.md); repeatable, or comma-separated in the variable',
    placeholder: 'id=value',
    expected: 'id=value, such as repeat-delete=gone',
    isValid: Array.isArray,
    parse(given) {
      const [, id, value = ''] = /^([^=]+)=(.+)$/s.exec(given.trim()) ?? [];
      return id === undefined ? given : [id.trim(), value.trim()];
    },
  },
  decisions: { words: 'switch the decisions that this YAML or JSON file maps to values', ...FILE },
  endWith: {
    words: 'stop when the process with this id ends, for whatever reason',
    ...wholeNumber(1, UINT32),
    placeholder: 'pid',
  },
  readyFile: {
    words:
      'once the mock is ready, write its URL, tokens, process id and version to this JSON file',
    ...FILE,
  },
} as const satisfies Record<string, OptionRow>;

export const VARIABLE_PREFIX = 'USAGE_BILLING_MOCK_';

/** The environment variable of an option, such as `USAGE_BILLING_MOCK_LOG_LEVEL`. */
export function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${wordsOf(name).join('_').toUpperCase()}`;
}

/** The flag of an option, such as `--log-level`, or `--no-…` for a switch that is on by default. */
export function flagOf(name: string, { flag, default: initial }: OptionRow): string {
  return flag ?? `--${initial === true ? 'no-' : ''}${wordsOf(name).join('-')}`;
}

/** An option as the command and the library name it, with its value if one is given. */
export function labelOf(name: FlagName, value?: unknown): string {
  const row: OptionRow = OPTIONS[name];
  const flag = flagOf(name, row);
  if (value === undefined) return `${flag} (${name} in the library)`;
  return `${row.placeholder ? `${flag} ${value}` : flag} (${name}: ${value} in the library)`;
}

function wordsOf(name: string): string[] {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
}
