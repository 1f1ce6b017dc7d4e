import { type DecisionId, type Decisions, LEDGER } from '#spec';
import { OptionError } from '../../core/errors/option-error.js';
import { adviceOnList, didYouMean } from '../../core/values/did-you-mean.js';

/** A decision with a value that it does not have in the baseline. */
export interface Alternative {
  readonly decision: DecisionId;
  readonly value: string;
}

/** Every other value that the ledger lists, in its order. */
export function alternativesTo(inForce: Decisions): readonly Alternative[] {
  return (Object.keys(LEDGER) as DecisionId[]).flatMap((decision) =>
    Object.keys(LEDGER[decision].values)
      .filter((value) => value !== String(inForce[decision]))
      .map((value) => ({ decision, value })),
  );
}

/** Formats an alternative: `repeat-delete=gone`. */
export function nameOf({ decision, value }: Alternative): string {
  return `${decision}=${value}`;
}

/**
 * The alternatives with these names. The id of a decision selects all its values, and `id=value`
 * selects one. Throws an `OptionError` for an unknown name.
 */
export function alternativesNamed(
  names: readonly string[],
  alternatives: readonly Alternative[],
  source: string,
): readonly Alternative[] {
  return selectNamed(names, alternatives, (one) => [one.decision, nameOf(one)], {
    source,
    expected: 'a decision, or an id=value that the baseline does not have',
    hint: 'usage-billing-mock decisions lists them.',
  });
}

/** Throws an `OptionError` for a name that no item has. */
export function selectNamed<One>(
  names: readonly string[],
  all: readonly One[],
  namesOf: (one: One) => readonly string[],
  { source, expected, hint }: { source: string; expected: string; hint: string },
): readonly One[] {
  const known = new Set(all.flatMap(namesOf));
  for (const name of names) {
    if (known.has(name)) continue;
    const question = didYouMean(name, [...known]) ?? adviceOnList(name, source) ?? hint;
    throw new OptionError(`${source} names '${name}'; expected ${expected}. ${question}`);
  }
  return all.filter((one) => namesOf(one).some((name) => names.includes(name)));
}
