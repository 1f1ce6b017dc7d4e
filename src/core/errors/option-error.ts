import { isObject } from '../values/json-value.js';
import { shown } from '../values/received-value.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/**
 * An invalid option. The message says what to fix.
 *
 * @example
 * const server = await createMockServer({ port: 80.5 }).catch((error) => {
 *   if (error instanceof OptionError) console.error(error.message);
 *   throw error;
 * });
 */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
}

recogniseAcrossBundles(OptionError, 'OptionError');

export interface OptionRule {
  /** What a value must be, in words. */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** A sentence on how to correct an invalid value: its nearest valid one, or why it has none. */
  readonly advice?: ((value: unknown) => string | undefined) | undefined;
  readonly isRequired?: boolean;
  /** True if an error must not repeat the value. */
  readonly isSecret?: boolean;
}

export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

/** How errors refer to the options. */
interface OptionWords {
  /** What the options are for, such as `for connectMockServer`. */
  readonly purpose?: string;
  /** A valid object of options, as it is written in code. */
  readonly example?: string;
  /** Refers to an option within a sentence; by default, as `the option 'port'`. */
  readonly nameOf?: (option: string) => string;
  readonly adviceOnName?: (name: string, known: readonly string[]) => string | undefined;
}

/**
 * Returns the options that have a value. Throws an `OptionError` for anything but an object, the
 * first name without a rule, the first value that breaks its rule, or the first missing option.
 */
export function checkOptions<Options>(
  given: unknown,
  rules: OptionRules<Options>,
  { purpose = '', example, nameOf = nameInLibrary, adviceOnName }: OptionWords = {},
): Options {
  const whose = purpose && ` ${purpose}`;
  if (!isObject(given)) {
    const expected = example === undefined ? 'an object' : `an object such as ${example}`;
    throw refusal(`The options${whose} are ${shown(given)}; expected ${expected}.`);
  }
  const known: Readonly<Record<string, OptionRule>> = rules;
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of values) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!rule) {
      const names = Object.keys(rules);
      throw unknownOption(`option '${name}'${whose}`, names, adviceOnName?.(name, names));
    }
    if (!rule.isValid(value)) throw invalidValue(nameOf(name) + whose, value, rule);
  }
  const options = Object.fromEntries(values);
  const missing = Object.keys(rules).find((name) => known[name]?.isRequired && !(name in options));
  if (missing === undefined) return options as Options;
  throw refusal(`${nameOf(missing)}${whose} is missing; expected ${known[missing]?.expected}.`);
}

export function nameInLibrary(option: string): string {
  return `the option '${option}'`;
}

/** The error for a value that breaks a rule; `received` is what the user wrote, if that differs. */
export function invalidValue(
  what: string,
  value: unknown,
  { expected, advice, isSecret }: Omit<OptionRule, 'isValid' | 'isRequired'>,
  received: unknown = value,
): OptionError {
  const is = isSecret ? 'invalid' : shown(received);
  return refusal(`${what} is ${is}; expected ${expected}.`, advice?.(value));
}

/** The error for a name that no option has; without advice, it lists those that do. */
export function unknownOption(what: string, known: readonly string[], advice?: string) {
  const expected = advice ? '' : `; expected one of ${known.join(', ')}`;
  return refusal(`Unknown ${what}${expected}.`, advice);
}

/** Capitalises the sentence, and appends the advice. */
export function refusal(sentence: string, advice?: string): OptionError {
  const whole = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return new OptionError(advice ? `${whole} ${advice}` : whole);
}
