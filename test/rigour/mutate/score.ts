import type { Figure } from '../report/result.js';
import { isNoticed, type Verdict } from './mutant.js';

/** The share of mutants that tests have to notice. */
const BOUND = 0.9;

/** Begins the reason of a mutant that a test could notice. */
const NOT_PROMISED = 'Not promised: ';

/** Why mutants are not counted, by their number. */
export type Reasons = ReadonlyMap<number, string>;

export function isNotPromised(reason: string | undefined): boolean {
  return reason?.startsWith(NOT_PROMISED) ?? false;
}

/** What a share of a sample says of the whole, with 95 % confidence (Wilson's interval). */
export function intervalOf(part: number, whole: number): readonly [number, number] {
  if (whole === 0) return [0, 1];
  const [z, share] = [1.96, part / whole];
  const squared = z ** 2 / whole;
  const middle = share + squared / 2;
  const reach = z * Math.sqrt((share * (1 - share)) / whole + squared / (4 * whole));
  return [(middle - reach) / (1 + squared), (middle + reach) / (1 + squared)];
}

const percent = (share: number) => (share * 100).toFixed(1);

/** Those with a reason count neither way, unless a test notices one: then its reason is wrong. */
export function scoreOf(verdicts: readonly Verdict[], reasons: Reasons, isSample = false) {
  const left = verdicts.filter((verdict) => !isNoticed(verdict) && reasons.has(verdict.mutant.id));
  const counted = verdicts.length - left.length;
  const killed = verdicts.filter(isNoticed).length;
  const share = counted === 0 ? 1 : killed / counted;
  const notPromised = left.filter(({ mutant }) => isNotPromised(reasons.get(mutant.id))).length;
  const parts = [
    `${killed} of ${counted}`,
    `${left.length - notPromised} equal`,
    ...(notPromised > 0 ? [`${notPromised} not promised`] : []),
  ];
  const [least, most] = intervalOf(killed, counted);
  const interval = isSample ? `; 95 % interval: ${percent(least)} to ${percent(most)} %` : '';
  return { share, value: `${percent(share)} % (${parts.join('; ')})${interval}` };
}

/** The share that was noticed, beside its bound. */
export function scoreFigure(
  name: string,
  verdicts: readonly Verdict[],
  reasons: Reasons,
  isSample = false,
): Figure {
  const { share, value } = scoreOf(verdicts, reasons, isSample);
  return { name, value, bound: `≥ ${BOUND * 100} %`, isWithin: share >= BOUND };
}

/** Mutants whose reason is wrong, because a test notices them. */
export function disprovedBy(verdicts: readonly Verdict[], reasons: Reasons): Verdict[] {
  return verdicts.filter((verdict) => isNoticed(verdict) && reasons.has(verdict.mutant.id));
}
