import type { DecisionChanges } from '../../core/decisions/decision-changes.js';
import { wrongChanges } from '../../core/decisions/wrong-decisions.js';
import {
  checkOptions,
  OptionError,
  type OptionRule,
  type OptionRules,
} from '../../core/errors/option-error.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { isObject } from '../../core/values/json-value.js';
import { describeMistake } from '../../core/values/mistake.js';
import { MOUNT_HANDLERS } from '../../mock/service/routes.js';
import type { MockOptions, MockServerOptions } from './mock-server-options.js';
import { type FlagName, labelOf, OPTIONS, type OptionRow } from './option-table.js';

/** The options with every default filled in. */
export type CompleteOptions = {
  readonly [Name in keyof MockServerOptions]-?:
    | Required<MockServerOptions>[Name]
    | (Name extends WithDefault ? never : undefined);
};

type WithDefault =
  | {
      [Name in FlagName]: (typeof OPTIONS)[Name] extends { default: unknown } ? Name : never;
    }[FlagName]
  | 'accounts'
  | 'decisions'
  | 'faults'
  | 'stubs';

/** Options whose members are checked later, against the ledger or the documents. */
const IN_DOCUMENTS = {
  object: (such: string): OptionRule => ({
    expected: `an object such as ${such}`,
    isValid: isObject,
    advice: adviceOnFile,
  }),
  list: (such: string): OptionRule => ({
    expected: `a list such as ${such}`,
    isValid: Array.isArray,
    advice: adviceOnFile,
  }),
};

function adviceOnFile(value: unknown): string | undefined {
  return typeof value === 'string'
    ? 'The library does not read a file here. Parse it first, or write its content into a fixture.'
    : undefined;
}

export const OPTION_RULES: OptionRules<MockServerOptions> = {
  ...OPTIONS,
  accounts: IN_DOCUMENTS.object("{ 'my-token': { dataset: 'empty' } }"),
  decisions: IN_DOCUMENTS.object("{ 'repeat-delete': 'gone' }"),
  faults: IN_DOCUMENTS.list("[{ kind: 'reset' }]"),
  stubs: IN_DOCUMENTS.list("[{ method: 'GET', path: '/me' }]"),
  routes: {
    expected: 'a function that takes a Request and returns a Response, no Express app or router',
    isValid: (value) => typeof value === 'function' && !('handle' in value),
    advice: (value) => (typeof value === 'function' ? MOUNT_HANDLERS : undefined),
  },
};

/** Those of options that a mock has wherever it runs. */
export const MOCK_RULES = Object.fromEntries(
  Object.entries(OPTION_RULES).filter(([, rule]) => !('isForServer' in rule)),
) as OptionRules<MockOptions>;

/**
 * Checks the options, apart from `accounts`, `faults` and `stubs`, and fills in the defaults.
 * Throws an `OptionError` for the first mistake.
 */
export function completeOptions(given: MockServerOptions): CompleteOptions {
  const options = checkOptions(given, OPTION_RULES, { adviceOnName: didYouMean });
  const { accounts = {}, decisions = {}, faults = [], stubs = [], routes, ...values } = options;
  const complete = { ...DEFAULTS, ...values } as CompleteOptions;
  refuseUseless(complete);
  return { ...complete, accounts, faults, stubs, routes, decisions: checkedDecisions(decisions) };
}

const ROWS = Object.entries(OPTIONS) as [FlagName, OptionRow][];
const DEFAULTS = Object.fromEntries(ROWS.map(([name, row]) => [name, row.default]));

/** Throws for an option that has no effect together with the others. */
function refuseUseless(values: CompleteOptions): void {
  for (const [name, { needs, default: initial }] of ROWS) {
    const isGiven = JSON.stringify(values[name]) !== JSON.stringify(initial);
    if (!needs || !isGiven || values[needs.option] !== needs.otherThan) continue;
    const { option, otherThan } = needs;
    throw new OptionError(
      otherThan === undefined
        ? `${labelOf(name)} needs ${labelOf(option)}. Add that option, or leave this one out.`
        : `${labelOf(name)} does nothing with ${labelOf(option, otherThan)}. Leave out one of them.`,
    );
  }
}

function checkedDecisions(changes: DecisionChanges): DecisionChanges {
  const [mistake] = wrongChanges(changes, 'server');
  if (mistake === undefined) return changes;
  const words = describeMistake(mistake);
  throw new OptionError(words.startsWith("'") ? `The decision ${words}` : words);
}
