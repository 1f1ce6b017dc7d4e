import { stringify } from 'yaml';
import type { DecisionVerdict, SettleReport } from '../../settle/settle-report.js';
import { cut } from '../../values/received-value.js';
import { type JunitEnd, junitXml } from '../junit.js';
import { printable } from '../wrap.js';
import type { Check } from './settle-for-people.js';

/** Of 500 characters that are accepted, one is the ellipsis. */
const LONGEST_LINE = 499;

/** The file of decisions that `--decisions` accepts, with every settled one. */
export function decisionsFileOf({ target, startedAt, verdicts }: SettleReport): string {
  const host = URL.canParse(target) ? new URL(target).host : target;
  // As `--decisions` accepts it: without control characters, and not too long.
  const lineOf = (text: string) => cut(printable(text), LONGEST_LINE);
  // What no value describes is only kept if it was accepted.
  const kept = verdicts.filter(
    ({ verdict, agrees }) => verdict === 'settled' || (verdict === 'none' && agrees),
  );
  const changes = kept.map(({ decision, verdict, value, inForce, evidence }) => [
    decision,
    {
      value: value ?? inForce,
      ...(verdict === 'none' && { accepted: 'none' }),
      seen: { host, at: startedAt, evidence: evidence.map(lineOf) },
    },
  ]);
  return [
    `# What ${printable(target)} does, as usage-billing-mock settle saw it.`,
    '# Start the mock with --decisions and this file, and it does the same;',
    '# usage-billing-mock settle --check with this file notices when the service changes.',
    stringify(Object.fromEntries(changes), { lineWidth: 0 }),
  ].join('\n');
}

/** The verdicts as JUnit XML: one case for each decision. */
export function junitOf({ target, startedAt, verdicts }: SettleReport, check?: Check): string {
  const judged = check?.judged.map(({ decision }) => decision);
  const cases = verdicts.map((verdict) => {
    const { decision, evidence } = verdict;
    const isNotAsked = check?.notAsked.includes(decision) ?? false;
    const isNotInFile = !isNotAsked && judged?.includes(decision) === false;
    const end = isNotInFile ? notInFile(verdict) : endOf(verdict, isNotAsked);
    return {
      classname: 'settle',
      name: decision,
      end: end && { ...end, text: evidence.join('\n') },
    };
  });
  return junitXml({ name: target, startedAt, cases });
}

/** A decision that the file does not have cannot fail. */
function notInFile({
  verdict,
  value,
  agrees,
}: DecisionVerdict): Omit<JunitEnd, 'text'> | undefined {
  if (agrees) return undefined;
  return { kind: 'skipped', message: `not in the file: ${value ?? verdict}` };
}

/** How a case ended; undefined if it passed. */
function endOf(
  { verdict, value, inForce, agrees, reason = '' }: DecisionVerdict,
  isNotAsked: boolean,
): Omit<JunitEnd, 'text'> | undefined {
  if (agrees) return undefined;
  if (isNotAsked) return { kind: 'skipped', message: `not asked: ${reason}` };
  if (verdict === 'none') return { kind: 'failure', message: reason };
  if (verdict === 'settled') return { kind: 'failure', message: `${value}, not ${inForce}` };
  return { kind: 'skipped', message: `${verdict}: ${reason}` };
}
