import { stringify } from 'yaml';
import type { DecisionVerdict, SettleReport } from '../settle/settle-report.js';
import { printable } from './wrap.js';

/** The file of decisions that `--decisions` accepts, with every settled one. */
export function decisionsFileOf({ target, startedAt, verdicts }: SettleReport): string {
  const host = URL.canParse(target) ? new URL(target).host : target;
  const settled = verdicts.filter(({ verdict }) => verdict === 'settled');
  const changes = settled.map(({ decision, value, evidence }) => [
    decision,
    { value, seen: { host, at: startedAt, evidence } },
  ]);
  return [
    `# What ${printable(target)} does, as usage-billing-mock settle saw it.`,
    '# Start the mock with --decisions and this file, and it does the same;',
    '# usage-billing-mock settle --check with this file notices when the service changes.',
    stringify(Object.fromEntries(changes), { lineWidth: 0 }),
  ].join('\n');
}

/** The verdicts as JUnit XML, which most of CI can show: one case for each decision. */
export function junitOf(
  { target, startedAt, verdicts }: SettleReport,
  notAsked: ReadonlySet<string>,
): string {
  const cases = verdicts.map((verdict) => ({ verdict, end: endOf(verdict, notAsked) }));
  const countOf = (kind: string) => cases.filter(({ end }) => end?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${countOf('failure')}" errors="0" skipped="${countOf('skipped')}"`;
  const lines = cases.map(({ verdict: { decision, evidence }, end }) => {
    const start = `    <testcase classname="settle" name="${decision}"`;
    if (end === undefined) return `${start}/>`;
    const text = escaped(evidence.join('\n'));
    return `${start}><${end.kind} message="${escaped(end.message)}">${text}</${end.kind}></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(target)}" timestamp="${startedAt}" ${counts}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** How a case ended; undefined if it passed. */
function endOf(
  { decision, verdict, value, inForce, agrees, reason = '' }: DecisionVerdict,
  notAsked: ReadonlySet<string>,
): { readonly kind: 'failure' | 'skipped'; readonly message: string } | undefined {
  if (agrees) return undefined;
  if (notAsked.has(decision)) return { kind: 'skipped', message: `not asked: ${reason}` };
  if (verdict === 'none') return { kind: 'failure', message: reason };
  if (verdict === 'settled') return { kind: 'failure', message: `${value}, not ${inForce}` };
  return { kind: 'skipped', message: `${verdict}: ${reason}` };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** As text or an attribute of XML, without the characters that XML does not allow. */
function escaped(text: string): string {
  const lines = text.split('\n').map((line) => printable(Buffer.from(line).toString()));
  return lines
    .join('\n')
    .replaceAll(/[\uFFFE\uFFFF]/g, ' ')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
