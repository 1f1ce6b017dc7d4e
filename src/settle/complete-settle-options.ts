import { type DecisionId, LEDGER } from '../decisions/ledger.js';
import { isObject } from '../messages/is-object.js';
import { didYouMean } from '../messages/nearest-name.js';
import { shown } from '../messages/received-value.js';
import { OptionError, unknownName } from '../options/complete-options.js';
import { targetOf } from './send/target.js';
import type { RecordingOptions, ServiceOptions, SettleOptions } from './settle-options.js';

/** The options of a run against a service, with the defaults filled in. */
export type CompleteServiceOptions = ServiceOptions &
  Required<Omit<ServiceOptions, 'signal' | 'onProgress' | 'only' | 'inForce'>>;

/** How an option is called within a sentence, where it was given: as a member, or as a flag. */
export type NameOption = (name: string) => string;

/** One option: what it accepts, and how that is described. */
interface Row {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** True if its value must not be repeated. */
  readonly isSecret?: true;
}

type RowsOf<Options> = { readonly [Name in keyof Required<Options>]: Row };

const LIST: Row = {
  expected: 'a list of texts that are not empty',
  isValid: (value) => Array.isArray(value) && value.every((one) => isText(one)),
};

const SHARED = {
  only: { ...LIST, expected: 'a list of decisions' },
  inForce: { expected: 'decisions by their ids', isValid: isObject },
};

const SERVICE: RowsOf<ServiceOptions> = {
  target: { expected: 'the URL of a service', isValid: isText, isSecret: true },
  token: {
    expected: 'a bearer token: visible ASCII characters without spaces',
    isValid: (value) => isText(value) && /^[\x21-\x7e]+$/.test(value),
    isSecret: true,
  },
  customers: LIST,
  rate: {
    expected: 'a number above 0, up to 1000',
    isValid: (value) => typeof value === 'number' && value > 0 && value <= 1000,
  },
  mostRequests: wholeNumber(10_000),
  timeoutMs: wholeNumber(3_600_000),
  allowWrites: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
  scratchContracts: LIST,
  scratchRefs: LIST,
  signal: {
    expected: 'an AbortSignal',
    isValid: (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value,
  },
  onProgress: { expected: 'a function', isValid: (value) => typeof value === 'function' },
  ...SHARED,
};

const RECORDINGS: RowsOf<RecordingOptions> = {
  recordings: {
    expected: 'a list of paths of HAR files',
    isValid: (value) => LIST.isValid(value) && (value as unknown[]).length > 0,
  },
  basePath: {
    expected: 'a path such as /v1, or a URL',
    isValid: (value) => isText(value) && (value.startsWith('/') || URL.canParse(value)),
  },
  ...SHARED,
};

const DEFAULTS = {
  customers: [],
  rate: 5,
  mostRequests: 100,
  timeoutMs: 30_000,
  allowWrites: false,
  scratchContracts: [],
  scratchRefs: [],
};

/** Whether recordings are to be read instead of asking a service. */
export function isOfRecordings(given: SettleOptions): given is RecordingOptions {
  return isObject(given) && 'recordings' in given && given.recordings !== undefined;
}

/** Checks the options for recordings. Throws an `OptionError` for the first mistake. */
export function checkRecordingOptions(given: RecordingOptions, name: NameOption): void {
  check(given, RECORDINGS, SERVICE, name);
}

/** Checks the options and fills in the defaults. Throws an `OptionError` for the first mistake. */
export function completeServiceOptions(
  given: ServiceOptions,
  name: NameOption,
): CompleteServiceOptions {
  const options = { ...DEFAULTS, ...check(given, SERVICE, RECORDINGS, name) };
  for (const required of ['target', 'token'] as const) {
    if (options[required] !== undefined) continue;
    throw mistake(`${name(required)} is missing; expected ${SERVICE[required].expected}.`);
  }
  targetOf(options.target);
  const hasScratch = options.scratchContracts.length + options.scratchRefs.length > 0;
  const scratch = `${name('scratchContracts')} or ${name('scratchRefs')}`;
  if (options.allowWrites && !hasScratch) {
    throw mistake(
      `${name('allowWrites')} needs ${scratch}: only records that are named are deleted.`,
    );
  }
  if (hasScratch && !options.allowWrites) {
    throw mistake(
      `${scratch} needs ${name('allowWrites')}: nothing is deleted unless that is allowed.`,
    );
  }
  return options;
}

/** The given options without those that are undefined; throws for the first that is invalid. */
function check<Options extends object>(
  given: Options,
  rows: Readonly<Record<string, Row>>,
  otherRows: Readonly<Record<string, Row>>,
  name: NameOption,
): Options {
  if (!isObject(given)) {
    throw new OptionError(`The options are ${shown(given)}; expected an object.`);
  }
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [option, value] of values) {
    const row = Object.hasOwn(rows, option) ? rows[option] : undefined;
    if (row === undefined) {
      if (Object.hasOwn(otherRows, option)) {
        const other = rows === RECORDINGS ? 'recordings' : 'target';
        throw mistake(`${name(option)} does not go with ${name(other)}.`);
      }
      throw unknownName(`Unknown option '${option}'`, option, Object.keys(rows));
    }
    if (row.isValid(value)) continue;
    const received = row.isSecret ? 'invalid' : shown(value);
    throw mistake(`${name(option)} is ${received}; expected ${row.expected}.`);
  }
  const { only = [] } = given as { readonly only?: readonly DecisionId[] };
  for (const id of only) refuseUnknownDecision(id, name('only'));
  return Object.fromEntries(values) as Options;
}

function refuseUnknownDecision(id: string, source: string): void {
  if (Object.hasOwn(LEDGER, id)) return;
  const question = didYouMean(id, Object.keys(LEDGER));
  const advice = question ?? 'usage-billing-mock decisions lists them.';
  throw mistake(`${source} names ${shown(id)}; expected a decision. ${advice}`);
}

/** The error with this sentence, which may begin with the name of an option. */
function mistake(sentence: string): OptionError {
  return new OptionError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`);
}

function wholeNumber(most: number): Row {
  return {
    expected: `a whole number from 1 to ${most}`,
    isValid: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
