import type { DecisionChanges } from '../decisions/decision-changes.js';
import { LEDGER } from '../decisions/ledger.js';
import { wrongChanges } from '../decisions/wrong-decisions.js';
import { describeMistake } from '../errors/invalid-input.js';
import { recogniseAcrossBundles } from '../errors/same-error-across-bundles.js';
import { didYouMean } from '../values/did-you-mean.js';
import { isObject } from '../values/json-value.js';
import { shown } from '../values/received-value.js';
import type { MockServerOptions } from './mock-server-options.js';
import type { OptionKind } from './option-kinds.js';
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

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = [
  ...Object.keys(OPTIONS),
  'accounts',
  'decisions',
  'faults',
  'stubs',
  'routes',
];

/**
 * An invalid option. The message says what was received and what is expected.
 *
 * @example
 * const server = await createMockServer({ port: 80.5 }).catch((error) => {
 *   if (error instanceof OptionError) console.error(error.message);
 *   throw error;
 * });
 */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

recogniseAcrossBundles(OptionError, 'OptionError');

/** Checks the options and fills in the defaults. Throws an `OptionError` for the first mistake. */
export function completeOptions(given: MockServerOptions): CompleteOptions {
  if (!isObject(given as unknown)) {
    throw new OptionError(`The options are ${shown(given)}; expected an object.`);
  }
  const { accounts = {}, decisions = {}, faults = [], stubs = [], routes, ...others } = given;
  const values = Object.entries(others).filter(([, value]) => value !== undefined);
  for (const [name, value] of values) {
    if (!Object.hasOwn(OPTIONS, name))
      throw unknownName(`Unknown option '${name}'`, name, OPTION_NAMES);
    const row = OPTIONS[name as FlagName];
    if (!row.isValid(value)) throw invalidValue(`The option '${name}'`, value, value, row);
  }
  if (routes !== undefined && typeof routes !== 'function') {
    const expected = 'a function that takes a router';
    throw invalidValue("The option 'routes'", routes, routes, { expected });
  }
  const defaults = ROWS.map(([name, row]) => [name, row.default]);
  const complete = { ...Object.fromEntries(defaults), ...Object.fromEntries(values) };
  refuseUseless(complete);
  return { ...complete, accounts, faults, stubs, routes, decisions: checkedDecisions(decisions) };
}

const ROWS = Object.entries(OPTIONS) as [FlagName, OptionRow][];

/** Throws for an option that does nothing with the others. */
function refuseUseless(values: MockServerOptions): void {
  for (const [name, { needs, default: initial }] of ROWS) {
    const isGiven = JSON.stringify(values[name]) !== JSON.stringify(initial);
    if (!needs || !isGiven || values[needs.option] !== needs.otherThan) continue;
    const { option, otherThan } = needs;
    throw new OptionError(
      otherThan === undefined
        ? `${labelOf(name)} is given without ${labelOf(option)}; expected both, or neither.`
        : `${labelOf(name)} does nothing with ${labelOf(option, otherThan)}. Leave out one of them.`,
    );
  }
}

/** The error for an option with an invalid value, which is shown as it was received. */
export function invalidValue(
  what: string,
  received: unknown,
  value: unknown,
  { expected, advice }: Pick<OptionKind, 'expected' | 'advice'>,
): OptionError {
  return refusal(`${what} is ${shown(received)}; expected ${expected}.`, advice?.(value));
}

/** The changes unchanged; throws for the first that is invalid. */
function checkedDecisions(changes: DecisionChanges): DecisionChanges {
  const [mistake] = wrongChanges(changes, 'server');
  if (mistake === undefined) return changes;
  const { path, expected, received, fix } = mistake;
  if (path.length > 1 || isObject(received)) {
    throw new OptionError(`The option 'decisions': ${describeMistake(mistake)}`);
  }
  const was = Object.hasOwn(LEDGER, path[0]) ? ` is ${shown(received)}` : ' does not exist';
  throw refusal(`The decision '${path[0]}'${was}; expected ${expected}.`, fix);
}

/** The error for an unknown name, with the known name that is most similar. */
export function unknownName(what: string, name: string, known: readonly string[]): OptionError {
  return refusal(`${what}; expected ${known.join(', ')}.`, didYouMean(name, known));
}

/** The error with what to do instead, if that is known. */
export function refusal(sentence: string, advice?: string): OptionError {
  return new OptionError(advice ? `${sentence} ${advice}` : sentence);
}
