import { stringify } from 'yaml';
import { cut } from '../messages/received-value.js';
import type { DecisionVerdict, SettleReport } from '../settle/settle-report.js';
import { type JunitEnd, junitXml } from './junit.js';
import { printable } from './wrap.js';

/** Of 500 characters that are accepted, one is the ellipsis. */
const LONGEST_LINE = 499;

/** The file of decisions that `--decisions` accepts, with every settled one. */
export function decisionsFileOf({ target, startedAt, verdicts }: SettleReport): string {
  const host = URL.canParse(target) ? new URL(target).host : target;
  const settled = verdicts.filter(({ verdict }) => verdict === 'settled');
  const changes = settled.map(({ decision, value, evidence }) => [
    decision,
    { value, seen: { host, at: startedAt, evidence: evidence.map(lineOf) } },
  ]);
  return [
    `# What ${printable(target)} does, as usage-billing-mock settle saw it.`,
    '# Start the mock with --decisions and this file, and it does the same;',
    '# usage-billing-mock settle --check with this file notices when the service changes.',
    stringify(Object.fromEntries(changes), { lineWidth: 0 }),
  ].join('\n');
}

/** The text as `--decisions` accepts it: without control characters, and not too long. */
function lineOf(text: string): string {
  return cut(printable(text), LONGEST_LINE);
}

/** The verdicts as JUnit XML: one case for each decision. */
export function junitOf(
  { target, startedAt, verdicts }: SettleReport,
  notAsked: ReadonlySet<string>,
): string {
  const cases = verdicts.map((verdict) => {
    const end = endOf(verdict, notAsked);
    const text = verdict.evidence.join('\n');
    return {
      classname: 'settle',
      name: verdict.decision,
      end: end && { ...end, text },
    };
  });
  return junitXml({ name: target, startedAt, cases });
}

/** How a case ended; undefined if it passed. */
function endOf(
  { decision, verdict, value, inForce, agrees, reason = '' }: DecisionVerdict,
  notAsked: ReadonlySet<string>,
): Omit<JunitEnd, 'text'> | undefined {
  if (agrees) return undefined;
  if (notAsked.has(decision)) return { kind: 'skipped', message: `not asked: ${reason}` };
  if (verdict === 'none') return { kind: 'failure', message: reason };
  if (verdict === 'settled') return { kind: 'failure', message: `${value}, not ${inForce}` };
  return { kind: 'skipped', message: `${verdict}: ${reason}` };
}
