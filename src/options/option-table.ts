import { EXPECTED_LATENCY, latencyRangeOf } from '../accounts/latency.js';
import { TOKEN_FORM } from '../messages/bearer-token.js';
import { adviceOnBasePath, isBasePath } from './base-path.js';
import { LOG_FORMATS, LOG_LEVELS, type MockServerOptions } from './mock-server-options.js';
import {
  adviceOnOrigins,
  isDuration,
  isHostNames,
  isIntegerUpTo,
  isOrigins,
  isText,
  parseNumber,
  parseSwitch,
} from './option-values.js';

/** An option that the command line accepts as well. */
export type FlagName = Exclude<
  keyof MockServerOptions,
  'accounts' | 'decisions' | 'stubs' | 'routes'
>;

/** An option: its meaning, its default, its check, and its form on the command line. */
export interface OptionRow {
  readonly words: string;
  /** The placeholder of the value in the help; a flag without one is a switch. */
  readonly placeholder?: string;
  /** The flag, where it is not derived from the name. */
  readonly flag?: string;
  /** In words, what a value must be. */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** A sentence on an invalid value: the nearest valid one, or why there is none. */
  readonly advice?: (value: unknown) => string | undefined;
  /** The default in the library. */
  readonly default?: string | number | boolean | readonly string[];
  /** The default of the command, if it is another. */
  readonly commandDefault?: string | number;
  /** The option without which it does nothing, and the value with which that is so, if it is one. */
  readonly needs?: { readonly option: FlagName; readonly otherThan?: unknown };
  /** Converts a text of the command line or the environment; the text is the value if left out. */
  readonly parse?: (text: string) => unknown;
}

/** Every option that is a single value. Its flag and environment variable are derived from its name. */
export const OPTIONS: { readonly [Name in FlagName]: OptionRow } = {
  port: {
    words: 'port to listen on; 0 for any free one',
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
  basePath: {
    words: 'path below which the mock answers, such as /v1',
    placeholder: 'path',
    expected: 'a path such as /v1, of letters, digits and any of -._~@:+',
    isValid: isBasePath,
    advice: adviceOnBasePath,
  },
  tlsCert: {
    words: 'certificate to answer https with, in PEM; needs --tls-key',
    placeholder: 'file',
    needs: { option: 'tlsKey' },
    expected: 'the path of a file',
    isValid: isText,
  },
  tlsKey: {
    words: 'private key of the certificate, in PEM',
    placeholder: 'file',
    needs: { option: 'tlsCert' },
    expected: 'the path of a file',
    isValid: isText,
  },
  dataset: {
    words: 'name of a dataset, or path of a YAML or JSON fixture',
    placeholder: 'name|file',
    expected: 'the name of a dataset or the path of a fixture',
    isValid: isText,
    default: 'default',
  },
  seed: {
    words: "seed of the generated records, instead of the fixture's",
    placeholder: 'number',
    expected: 'a whole number from 0 to 4294967295',
    isValid: isIntegerUpTo(0xffffffff),
    parse: parseNumber,
  },
  maxAccounts: {
    words: 'accounts that may be open at once; a further token gets a 503',
    placeholder: 'number',
    expected: 'a whole number from 1 to 4294967295',
    isValid: (value) => value !== 0 && isIntegerUpTo(0xffffffff)(value),
    parse: parseNumber,
    default: 10_000,
  },
  closeIdleAfter: {
    words: 'close accounts that had no request for this long, such as 30m',
    placeholder: 'duration',
    expected: "a duration of at least 1ms, such as '30m', '90s' or '2h'",
    isValid: isDuration,
  },
  stateBytes: {
    words: 'bytes of changed records, stubs and snapshots that all accounts may hold in total',
    placeholder: 'number',
    expected: `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
    isValid: (value) => value !== 0 && isIntegerUpTo(Number.MAX_SAFE_INTEGER)(value),
    parse: parseNumber,
    default: 256 * 2 ** 20,
  },
  watch: {
    words: 'read a fixture again when its file changes, and reset its accounts',
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    parse: parseSwitch,
    default: false,
  },
  stateFile: {
    words: 'file to read the state of the accounts from at the start, and to write it to',
    placeholder: 'file',
    expected: 'the path of a file',
    isValid: isText,
  },
  latency: {
    words: 'delay of every answer in ms: a number, or a range such as 20..200',
    placeholder: 'ms',
    expected: EXPECTED_LATENCY,
    isValid: (value) => latencyRangeOf(value) !== undefined,
    default: 0,
  },
  journalSize: {
    words: 'requests that the journal of an account keeps; 0 keeps none',
    placeholder: 'number',
    expected: 'a whole number from 0 to 4294967295',
    isValid: isIntegerUpTo(0xffffffff),
    parse: parseNumber,
    default: 1_000,
  },
  journalBytes: {
    words: 'bytes that the journals of all accounts keep in total',
    placeholder: 'number',
    expected: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    isValid: isIntegerUpTo(Number.MAX_SAFE_INTEGER),
    parse: parseNumber,
    default: 64 * 2 ** 20,
  },
  captureBodies: {
    words: 'keep the bodies of answers in the journals, for archives (HAR)',
    needs: { option: 'journalSize', otherThan: 0 },
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    parse: parseSwitch,
    default: false,
  },
  journalFile: {
    words: 'file to append every request and its answer to, a line of JSON each',
    placeholder: 'file',
    expected: 'the path of a file',
    isValid: isText,
  },
  rotateBytes: {
    words: 'bytes that the journal file may have before it is renamed to FILE.1',
    placeholder: 'number',
    needs: { option: 'journalFile' },
    expected: `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
    isValid: (value) => value !== 0 && isIntegerUpTo(Number.MAX_SAFE_INTEGER)(value),
    parse: parseNumber,
    default: 64 * 2 ** 20,
  },
  control: {
    words: 'disable the control plane',
    flag: '--no-control',
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    parse: parseSwitch,
    default: true,
  },
  ui: {
    words: 'leave out the page at /__control/ui',
    flag: '--no-ui',
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    parse: parseSwitch,
    default: true,
  },
  controlToken: {
    words: 'token that the control plane requires in X-Control-Token',
    placeholder: 'token',
    needs: { option: 'control', otherThan: false },
    expected: 'letters, digits and any of -._~+/',
    isValid: (value) => isText(value) && TOKEN_FORM.test(String(value)),
  },
  allowedHosts: {
    words: 'host names for calls to the control plane, separated by commas; may be repeated',
    placeholder: 'names',
    flag: '--allowed-host',
    needs: { option: 'control', otherThan: false },
    expected: 'host names without ports',
    isValid: isHostNames,
    parse: (text) => text.split(','),
    default: [],
  },
  allowedOrigins: {
    words:
      'origin of a page that may use the control plane; may be repeated, separated by commas in the variable',
    placeholder: 'origin',
    flag: '--allowed-origin',
    needs: { option: 'control', otherThan: false },
    expected: 'origins such as http://localhost:5173, with scheme, host and port alone',
    isValid: isOrigins,
    advice: adviceOnOrigins,
    parse: (text) => text.split(','),
    default: [],
  },
  explain: {
    words: 'list in the header Decisions what each answer depended on',
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
    words: `format of log lines: ${LOG_FORMATS.join(', ')}`,
    placeholder: 'format',
    expected: `one of ${LOG_FORMATS.join(', ')}`,
    isValid: (value) => LOG_FORMATS.some((format) => format === value),
    default: 'text',
  },
};
