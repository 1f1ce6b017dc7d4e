import { type DecisionId, LEDGER } from '../decisions/ledger.js';
import { OptionError, unknownName } from '../options/complete-options.js';
import type { MockServerOptions } from '../options/mock-server-options.js';
import { isText } from '../options/option-kinds.js';
import { didYouMean } from '../values/did-you-mean.js';
import { isObject } from '../values/json-value.js';
import { shown } from '../values/received-value.js';

/**
 * A service to ask, or recordings of one.
 *
 * @example
 * const options: SettleOptions = { recordings: ['session.har'], only: ['final-cursor'] };
 */
export type SettleOptions = ServiceOptions | RecordingOptions;

/** What asking a service and reading recordings of it have in common. */
interface SharedOptions {
  /** The decisions to judge; all of them if left out. */
  readonly only?: readonly DecisionId[];
  /** The values that the service is compared with; a decision that is left out has its default. */
  readonly inForce?: NonNullable<MockServerOptions['decisions']>;
}

/** How a service is asked. */
interface ServiceOptions extends SharedOptions {
  /** The base URL of the service. */
  readonly target: string;
  /** The bearer token to send. The report never contains it. */
  readonly token: string;
  /** Ids of customers to look up, in any form the service takes; by default, those in measurements. */
  readonly customers?: readonly string[];
  /** Requests a second, 5 by default; they are sent one at a time. */
  readonly rate?: number;
  /** The most requests to send, 100 by default. */
  readonly mostRequests?: number;
  /** How long a request may take in milliseconds, 30 seconds by default. */
  readonly timeoutMs?: number;
  /** True to send calls that change records, only for the scratch records. */
  readonly allowWrites?: boolean;
  /** Ids of contracts that may be deleted. */
  readonly scratchContracts?: readonly string[];
  /** Refs of usage events that may be deleted. */
  readonly scratchRefs?: readonly string[];
  /** Ends the run early; the report has what is known by then. */
  readonly signal?: AbortSignal;
  /** Called before the first request, and after the requests of each kind. */
  readonly onProgress?: (progress: SettleProgress) => void;
}

/** How recordings of a service are read. */
export interface RecordingOptions extends SharedOptions {
  /** Paths of HAR files. */
  readonly recordings: readonly string[];
  /** The path that all paths of the service begin with, such as `/v1`, or a whole URL. */
  readonly basePath?: string;
}

/** How far a run has come. */
export interface SettleProgress {
  /** How many kinds of requests were sent. */
  readonly done: number;
  /** How many kinds of requests there are. */
  readonly all: number;
  /** How many requests were sent. */
  readonly requests: number;
  /** The requests that were sent last, such as `GET /measurements?limit=0`. */
  readonly sent?: string;
}

/** The options of a run against a service, with the defaults filled in. */
export type CompleteServiceOptions = ServiceOptions &
  Required<Pick<ServiceOptions, keyof typeof DEFAULTS>>;

const DEFAULTS = {
  customers: [],
  rate: 5,
  mostRequests: 100,
  timeoutMs: 30_000,
  allowWrites: false,
  scratchContracts: [],
  scratchRefs: [],
};

/** One option: what it accepts, and how that is described. */
interface Row {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
}

type RowsOf<Options> = { readonly [Name in keyof Required<Options>]: Row };

const LIST: Row = {
  expected: 'a list of non-empty strings',
  isValid: (value) => Array.isArray(value) && value.every(isText),
};

const SHARED: RowsOf<SharedOptions> = {
  only: { ...LIST, expected: 'a list of decisions' },
  inForce: { expected: 'decisions by their ids', isValid: isObject },
};

const SERVICE: RowsOf<ServiceOptions> = {
  target: { expected: 'the URL of a service', isValid: isText },
  token: {
    expected: 'a bearer token: visible ASCII characters without spaces',
    isValid: (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
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
    isValid: (value) => typeof value === 'string' && (value.startsWith('/') || URL.canParse(value)),
  },
  ...SHARED,
};

/** Their values must not be repeated. */
const SECRETS = ['target', 'token'];

/** How an option is called within a sentence, where it was given: as a member, or as a flag. */
type NameOption = (name: string) => string;

/** Checks the options and fills in the defaults. Throws an `OptionError` for the first mistake. */
export function completeSettleOptions(
  given: SettleOptions,
  name: NameOption = (option) => `the option '${option}'`,
): CompleteServiceOptions | RecordingOptions {
  if (!isObject(given)) {
    throw new OptionError(`The options are ${shown(given)}; expected an object.`);
  }
  const isOfRecordings = 'recordings' in given && given.recordings !== undefined;
  const [rows, others, other] = isOfRecordings
    ? [RECORDINGS, SERVICE, 'recordings']
    : [SERVICE, RECORDINGS, 'target'];
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [option, value] of values) {
    if (!Object.hasOwn(rows, option) && Object.hasOwn(others, option)) {
      throw mistake(`${name(option)} cannot be used with ${name(other)}.`);
    }
    refuseInvalid(option, value, rows, name);
  }
  const options = Object.fromEntries(values) as Readonly<Record<string, unknown>>;
  refuseUnknownDecisions(options.only as SettleOptions['only'], name('only'));
  if (isOfRecordings) return options as unknown as RecordingOptions;
  const complete = { ...DEFAULTS, ...options } as unknown as CompleteServiceOptions;
  refuseIncomplete(complete, name);
  return complete;
}

function refuseInvalid(
  option: string,
  value: unknown,
  rows: Readonly<Record<string, Row>>,
  name: NameOption,
): void {
  const row = Object.hasOwn(rows, option) ? rows[option] : undefined;
  if (!row) throw unknownName(`Unknown option '${option}'`, option, Object.keys(rows));
  if (row.isValid(value)) return;
  const received = SECRETS.includes(option) ? 'invalid' : shown(value);
  throw mistake(`${name(option)} is ${received}; expected ${row.expected}.`);
}

/** Refuses ids that no decision has; `name` is what gives them. */
export function refuseUnknownDecisions(ids: readonly string[] = [], name: string): void {
  const id = ids.find((one) => !Object.hasOwn(LEDGER, one));
  if (id === undefined) return;
  const advice = didYouMean(id, Object.keys(LEDGER)) ?? 'usage-billing-mock decisions lists them.';
  throw mistake(`${name} names ${shown(id)}; expected a decision. ${advice}`);
}

/** Refuses options for a service that lack others. */
function refuseIncomplete(options: CompleteServiceOptions, name: NameOption): void {
  for (const required of ['target', 'token'] as const) {
    if (options[required] !== undefined) continue;
    throw mistake(`${name(required)} is missing; expected ${SERVICE[required].expected}.`);
  }
  baseOf(options.target);
  const hasScratch = options.scratchContracts.length + options.scratchRefs.length > 0;
  const scratch = `${name('scratchContracts')} or ${name('scratchRefs')}`;
  const allowWrites = name('allowWrites');
  if (options.allowWrites && !hasScratch) {
    throw mistake(`${allowWrites} needs ${scratch}: only named records are deleted.`);
  }
  if (hasScratch && !options.allowWrites) {
    throw mistake(`${scratch} needs ${allowWrites}: nothing is deleted unless writes are allowed.`);
  }
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

/**
 * The URL that all paths of a service follow, without a slash at its end. What is refused may
 * contain a password, and is not repeated.
 */
export function baseOf(target: string): string {
  const refuse = (received: string) =>
    new OptionError(`The target ${received}; expected a URL such as https://api.example.com/v1.`);
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse('is not an HTTP or HTTPS URL');
  }
  if (url.username !== '' || url.password !== '') throw refuse('contains a user or a password');
  if (url.search !== '' || url.hash !== '') {
    throw refuse('contains a query or a fragment (?… or #…)');
  }
  return `${url.origin}${prefixOf(url)}`;
}

/** The path of a URL without a slash at its end. */
export function prefixOf({ pathname }: URL): string {
  const [prefix = ''] = /^(?:\/+[^/]+)*/.exec(pathname) ?? [];
  return prefix;
}
