import { stringify } from 'yaml';
import { cut } from '../../../core/values/received-value.js';
import { type JunitCase, junitXml } from '../../../host/terminal/junit.js';
import { printable } from '../../../host/terminal/wrap-text.js';
import type { DecisionVerdict, SettleReport } from '../settle-report.js';
import type { Check } from './check-against-file.js';

/** A line of evidence may have 500 characters; `cut` adds an ellipsis to a longer one. */
const MAX_LINE_LENGTH = 499;

export function decisionsFileOf({ target, startedAt, verdicts }: SettleReport): string {
  const host = URL.canParse(target) ? new URL(target).host : target;
  // `--decisions` refuses control characters and long lines.
  const lineOf = (text: string) => cut(printable(text), MAX_LINE_LENGTH);
  // What no value describes is only kept if it was accepted.
  const kept = verdicts.filter(({ verdict, agrees }) => verdict === 'settled' || agrees);
  const changes = kept.map(({ decision, verdict, value, inForce, evidence }) => {
    const seen = startedAt && { host, at: startedAt, evidence: evidence.map(lineOf) };
    const accepted = verdict === 'settled' ? undefined : 'none';
    return [decision, { value: value ?? inForce, accepted, seen }];
  });
  return [
    `# How ${printable(target)} behaves, as usage-billing-mock settle saw it.`,
    '# Start the mock with --decisions and this file, and it does what is settled here;',
    '# usage-billing-mock settle --check with this file notices when the service changes.',
    stringify(Object.fromEntries(changes), { lineWidth: 0 }),
  ].join('\n');
}

/** One case for each decision. */
export function junitOf({ target, startedAt, verdicts }: SettleReport, check?: Check): string {
  const judged = check?.judged.map(({ decision }) => decision);
  const cases = verdicts.map((verdict): JunitCase => {
    const { decision, agrees, evidence } = verdict;
    const isJudged = judged?.includes(decision) ?? true;
    const aside = check?.notAsked.includes(decision) ? 'not asked: ' : 'not in the file: ';
    // Like the exit code: only decisions of the file or `--accept` can fail.
    const kind = agrees === false && check && isJudged ? 'failure' : 'skipped';
    const message = `${isJudged ? '' : aside}${inWords(verdict)}`;
    const end = { kind, message, text: evidence.join('\n') } as const;
    return { classname: 'settle', name: decision, ...(!agrees && { end }) };
  });
  return junitXml({ name: target, startedAt, cases });
}

function inWords({ verdict, value, inForce, reason = '' }: DecisionVerdict): string {
  if (verdict === 'settled') return `${value}, not ${inForce}`;
  return verdict === 'none' ? reason : `${verdict}: ${reason}`;
}
