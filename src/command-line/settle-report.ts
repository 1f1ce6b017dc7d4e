import { LEDGER, type LedgerRow } from '../decisions/ledger.js';
import { OBSERVERS } from '../settle/observers/observers.js';
import type { DecisionVerdict, SettleReport } from '../settle/settle-report.js';
import type { Check } from './settle-check.js';
import { columnsOfReport, wrap } from './wrap.js';

/** What a run found out, for people, in the columns of the terminal and 80 at most. */
export function settleReportForPeople(report: SettleReport, check: Check | undefined): string {
  const { verdicts, brokenOff } = report;
  const of = (kind: DecisionVerdict['verdict']) => verdicts.filter((one) => one.verdict === kind);
  const settled = of('settled');
  const paragraphs = [
    [
      ...wrap(headOf(report)),
      ...(brokenOff === undefined ? [] : wrap(`The run was broken off: ${brokenOff}.`)),
    ],
    group(
      'Settled, no difference',
      settled.filter(({ agrees }) => agrees),
      agreeing,
    ),
    group(
      'Settled, with a difference',
      settled.filter(({ agrees }) => !agrees),
      otherwise,
    ),
    group('None of the values describes what the service does', of('none'), (all) =>
      all.flatMap(withEvidence),
    ),
    group('Undecided', of('undecided'), (all) => all.flatMap(withEvidence)),
    group('Could not be checked', of('could-not-check'), byReason),
    violationsOf(report),
    check === undefined ? [] : checkLines(check),
    nextSteps(report),
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headOf({ target, requests, passedOver }: SettleReport): string {
  if (passedOver === undefined) return `${target}, asked with ${count(requests, 'request')}`;
  const others = count(passedOver, 'other');
  return `${target}, ${count(requests, 'request')} in recordings; ${others} passed over`;
}

function group(
  title: string,
  verdicts: readonly DecisionVerdict[],
  lines: (verdicts: readonly DecisionVerdict[]) => string[],
): string[] {
  return verdicts.length === 0
    ? []
    : [...wrap(`${title} (${verdicts.length}):`), ...lines(verdicts)];
}

function agreeing(verdicts: readonly DecisionVerdict[]): string[] {
  const width = Math.max(...verdicts.map(({ decision }) => decision.length));
  const rows = verdicts.map(({ decision, value }) => `  ${decision.padEnd(width)}  ${value}`);
  return rows.every(({ length }) => length <= columnsOfReport())
    ? rows
    : verdicts.flatMap(({ decision, value }) => wrap(`${decision} ${value}`, 2));
}

function otherwise(verdicts: readonly DecisionVerdict[]): string[] {
  return verdicts.flatMap(({ decision, value, inForce, evidence }) => {
    const { question, values }: LedgerRow = LEDGER[decision];
    const meaning = values[String(value)] ?? String(value);
    return [
      ...wrap(`${decision} is ${value}, not ${inForce}`, 2),
      ...wrap(`${question} ${meaning}`, 4),
      ...evidence.flatMap((line) => wrap(line, 4)),
    ];
  });
}

function withEvidence({ decision, evidence, reason = '' }: DecisionVerdict): string[] {
  return [`  ${decision}`, ...wrap(reason, 4), ...evidence.flatMap((line) => wrap(line, 4))];
}

/** Many have one reason, such as a run that was broken off. */
function byReason(verdicts: readonly DecisionVerdict[]): string[] {
  const reasons = [...new Set(verdicts.map(({ reason = '' }) => reason))];
  return reasons.flatMap((reason) => {
    const ids = verdicts.filter((one) => one.reason === reason).map(({ decision }) => decision);
    return [...wrap(ids.join(', '), 2), ...wrap(reason, 4)];
  });
}

function violationsOf({ violations }: SettleReport): string[] {
  if (violations.length === 0) return [];
  const lines = violations.flatMap(({ kind, operationId, pointer, expected, example, ...seen }) => [
    ...wrap(`${operationId} ${pointer}: ${kind}, ${seen.count} of ${seen.of}`, 2),
    ...(expected === undefined ? [] : wrap(`expected ${expected}`, 4)),
    ...(example === undefined ? [] : wrap(`received ${example}`, 4)),
  ]);
  return [...wrap(`Other than openapi.yaml (${violations.length}):`), ...lines];
}

function checkLines({ judged, notAsked }: Check): string[] {
  const numberOf = (agrees: boolean | undefined) =>
    judged.filter((verdict) => verdict.agrees === agrees).length;
  const counts = [
    `${numberOf(true)} without a difference`,
    `${numberOf(false)} with one`,
    `${numberOf(undefined)} not known`,
    `${notAsked.length} not asked`,
  ].join(', ');
  return [
    ...wrap(
      `Checked ${count(judged.length + notAsked.length, 'decision')} of the file: ${counts}.`,
    ),
    ...(notAsked.length === 0 ? [] : wrap(`Not asked: ${notAsked.join(', ')}`, 2)),
  ];
}

/** What to do about each kind of verdict, where there is one. */
function nextSteps({ verdicts, brokenOff, passedOver }: SettleReport): string[] {
  const has = (isMeant: (verdict: DecisionVerdict) => boolean) => verdicts.some(isMeant);
  const isUndecided = has(({ decision, verdict }) => {
    return verdict === 'undecided' && OBSERVERS[decision].isNeverAsked === undefined;
  });
  const steps: readonly [boolean, string][] = [
    [brokenOff !== undefined, 'Run it again once the service can be asked.'],
    [
      has(({ verdict, agrees }) => verdict === 'settled' && agrees === false),
      'Write what is settled with --out decisions.yaml, and start the mock with --decisions decisions.yaml: it then does the same.',
    ],
    [
      has(({ verdict }) => verdict === 'none'),
      'What no value describes, the mock cannot do: keep it in mind when a test relies on it.',
    ],
    [
      isUndecided && passedOver !== undefined,
      'Ask the service itself with --target, or record what would tell as well.',
    ],
    [
      isUndecided && passedOver === undefined && brokenOff === undefined,
      'What is undecided needs other records; --customer names a customer that has them.',
    ],
  ];
  const lines = steps.filter(([applies]) => applies).flatMap(([, step]) => wrap(step, 2));
  return lines.length === 0 ? [] : ['Next:', ...lines];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
