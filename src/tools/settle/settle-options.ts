import { type DecisionId, LEDGER } from '#spec';
import {
  checkOptions,
  nameInLibrary,
  OptionError,
  type OptionRules,
  refusal,
} from '../../core/errors/option-error.js';
import { EXPECTED_TOKEN, TOKEN_FORM } from '../../core/values/bearer-token.js';
import { adviceOnList, didYouMean } from '../../core/values/did-you-mean.js';
import { isObject, memberOf } from '../../core/values/json-value.js';
import { shown } from '../../core/values/received-value.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import { isText, listOf, SWITCH, wholeNumber } from '../../host/options/option-kinds.js';

/**
 * A service to ask, or recordings of one.
 *
 * @example
 * const options: SettleOptions = { recordings: ['session.har'], only: ['final-cursor'] };
 */
export type SettleOptions = ServiceOptions | RecordingOptions;

/** The options that services and recordings share. */
interface SharedOptions {
  /** The decisions to judge; all of them if left out. */
  readonly only?: readonly DecisionId[];
  /** The values to compare the service with; a decision that you leave out has its default. */
  readonly inForce?: NonNullable<MockServerOptions['decisions']>;
}

interface ServiceOptions extends SharedOptions {
  /** The base URL of the service. */
  readonly target: string;
  /** The bearer token to send. The report never contains it. */
  readonly token: string;
  /** Customers to look up before those in measurements, by any id that the service accepts. */
  readonly customers?: readonly string[];
  /** Requests a second, 5 by default; they are sent one at a time. */
  readonly rate?: number;
  /** The most requests to send, 100 by default. */
  readonly maxRequests?: number;
  /** How many milliseconds a request may take, 30,000 by default. */
  readonly timeoutMs?: number;
  /** True to also send deletions, of scratch records and of made-up ids and refs only. */
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

/** The options for recordings of a service. */
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
  /** The latest requests, such as `GET /measurements?limit=0`. */
  readonly sent?: string;
}

export type CompleteServiceOptions = ServiceOptions &
  Required<Pick<ServiceOptions, keyof typeof DEFAULTS | 'signal'>>;

const DEFAULTS = {
  customers: [],
  rate: 5,
  maxRequests: 100,
  timeoutMs: 30_000,
  allowWrites: false,
  scratchContracts: [],
  scratchRefs: [],
};

const LIST = listOf('text', 'a list of non-empty strings', isText);

const SHARED: OptionRules<SharedOptions> = {
  only: { ...LIST, expected: 'a list of decisions' },
  inForce: { expected: 'decisions by their ids', isValid: isObject },
};

const SERVICE: OptionRules<ServiceOptions> = {
  target: { expected: 'the URL of a service', isValid: isText, isSecret: true, isRequired: true },
  token: {
    isSecret: true,
    isRequired: true,
    expected: `a bearer token: ${EXPECTED_TOKEN}`,
    isValid: (value) => typeof value === 'string' && TOKEN_FORM.test(value),
  },
  customers: LIST,
  rate: {
    expected: 'a number above 0, up to 1000',
    isValid: (value) => typeof value === 'number' && value > 0 && value <= 1000,
  },
  maxRequests: wholeNumber(1, 10_000),
  timeoutMs: wholeNumber(1, 3_600_000),
  allowWrites: SWITCH,
  scratchContracts: LIST,
  scratchRefs: LIST,
  signal: {
    expected: 'an AbortSignal',
    isValid: (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value,
  },
  onProgress: { expected: 'a function', isValid: (value) => typeof value === 'function' },
  ...SHARED,
};

const RECORDINGS: OptionRules<RecordingOptions> = {
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

/** Checks the options and fills in the defaults. Throws an `OptionError` for the first mistake. */
export function completeSettleOptions(
  given: SettleOptions,
  nameOf = nameInLibrary,
): CompleteServiceOptions | RecordingOptions {
  const isOfRecordings = isObject(given) && given.recordings !== undefined;
  const [rules, others, other] = isOfRecordings
    ? [RECORDINGS, SERVICE, 'recordings']
    : [SERVICE, RECORDINGS, 'target'];
  for (const [option, value] of Object.entries(given ?? {})) {
    const isKnown = Object.hasOwn(rules, option) || !Object.hasOwn(others, option);
    if (isKnown || value === undefined) continue;
    const isMissing = memberOf(given, other) === undefined;
    const clash = isMissing ? 'needs' : 'cannot be used with';
    throw refusal(`${nameOf(option)} ${clash} ${nameOf(isMissing ? 'recordings' : other)}.`);
  }
  const options = checkOptions<SettleOptions>(given, rules, { nameOf, adviceOnName: didYouMean });
  refuseUnknownDecisions(options.only, nameOf('only'));
  if ('recordings' in options) return options;
  // Each run has its own signal, so that listeners of concurrent runs do not add up.
  const complete = { ...DEFAULTS, signal: new AbortController().signal, ...options };
  refuseIncomplete(complete, nameOf);
  return complete;
}

/** Throws an `OptionError` for an unknown decision; `name` is the option that lists the ids. */
export function refuseUnknownDecisions(ids: readonly string[] = [], name: string): void {
  const id = ids.find((one) => !Object.hasOwn(LEDGER, one));
  if (id === undefined) return;
  const advice =
    didYouMean(id, Object.keys(LEDGER)) ??
    adviceOnList(id, name) ??
    'usage-billing-mock decisions lists them.';
  throw refusal(`${name} names ${shown(id)}; expected a decision. ${advice}`);
}

function refuseIncomplete(options: CompleteServiceOptions, name: typeof nameInLibrary): void {
  baseOf(options.target);
  const hasScratch = options.scratchContracts.length + options.scratchRefs.length > 0;
  if (hasScratch === options.allowWrites) return;
  const scratch = `${name('scratchContracts')} or ${name('scratchRefs')}`;
  const allowWrites = name('allowWrites');
  throw refusal(
    hasScratch
      ? `${scratch} needs ${allowWrites}: nothing is deleted unless writes are allowed.`
      : `${allowWrites} needs ${scratch}: only named records are deleted.`,
  );
}

/**
 * Returns a target without a trailing slash. Throws an `OptionError` if it is unusable, without
 * quoting it: it may contain a password.
 */
export function baseOf(target: string): string {
  const refuse = (received: string) =>
    new OptionError(`The target ${received}; expected a URL such as https://api.example.com/v1.`);
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('is not an HTTP or HTTPS URL');
  if (url.username + url.password !== '') throw refuse('contains a user or a password');
  if (url.search + url.hash !== '') throw refuse('contains a query or a fragment (?… or #…)');
  return `${url.origin}${prefixOf(url)}`;
}

/** The path of a URL without a trailing slash. */
export function prefixOf({ pathname }: URL): string {
  const [prefix = ''] = /^(?:\/+[^/]+)*/.exec(pathname) ?? [];
  return prefix;
}
