import { LEDGER, type LedgerRow } from '#spec';
import { count } from '../../../core/values/plural.js';
import { SERVICE_TOKEN_VARIABLE } from '../../../host/terminal/flags-and-variables.js';
import { wrap } from '../../../host/terminal/wrap-text.js';
import { isNeverAsked } from '../observers/observers.js';
import { planOf } from '../plan-probes.js';
import type { Probe } from '../probes/probe.js';
import { TOKEN_REFUSED } from '../send/call-failed.js';
import { LONGEST_WAIT_MS } from '../send/rate-and-waits.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import type { DecisionVerdict, SettleReport } from '../settle-report.js';
import type { Check } from './check-against-file.js';

export function planForPeople(options: CompleteServiceOptions): string {
  const { target, scratchContracts, scratchRefs } = options;
  const { decisions, probes, heldBack, madeUp } = planOf(options);
  const reading = probes.filter(({ changesRecords }) => !changesRecords);
  const changing = probes.filter(({ changesRecords }) => changesRecords);
  const told = [...probes, ...heldBack].flatMap(({ tells }) => tells);
  const untold = decisions.filter((id) => !told.includes(id));
  const withDecisions = ({ requests, tells }: Probe) => [
    ...wrap(requests, 2),
    ...wrap(`for ${tells.filter((id) => decisions.includes(id)).join(', ')}`, 6),
  ];
  return inParagraphs([
    wrap(`The plan for ${target}: ${boundsForPeople(options)}.`),
    titled('Reads records:', reading.flatMap(withDecisions)),
    titled('Changes records:', changing.flatMap(withDecisions)),
    titled(
      'Only these may be deleted:',
      changing.length === 0
        ? []
        : [
            ...wrap(`contracts: ${scratchContracts.join(', ') || 'none'}`, 2),
            ...wrap(`refs of events: ${scratchRefs.join(', ') || 'none'}`, 2),
          ],
    ),
    titled(
      'Not sent without --allow-writes, and --scratch-contract or --scratch-ref:',
      heldBack.flatMap(withDecisions),
    ),
    titled(
      'Made up, to see how the service responds:',
      madeUp.flatMap((one) => wrap(one, 2)),
    ),
    titled('Settled only if a response happens to show the value:', wrappedNames(untold)),
  ]);
}

export function boundsForPeople({
  maxRequests,
  rate,
}: Pick<CompleteServiceOptions, 'maxRequests' | 'rate'>): string {
  const waiting = `at most ${LONGEST_WAIT_MS / 1000} s of waiting`;
  return `at most ${count(maxRequests, 'request')}, ${rate} a second, one at a time, and ${waiting}`;
}

export function settleReportForPeople(report: SettleReport, check: Check | undefined): string {
  const { verdicts, brokenOff, violations, gaps } = report;
  const of = (kind: DecisionVerdict['verdict']) => verdicts.filter((one) => one.verdict === kind);
  const group = (
    title: string,
    found: readonly DecisionVerdict[],
    lines: (found: readonly DecisionVerdict[]) => string[],
  ) => titled(`${title} (${found.length}):`, lines(found));
  const agreed = of('settled').filter(({ agrees }) => agrees);
  const differing = of('settled').filter(({ agrees }) => !agrees);
  const detailed = (found: readonly DecisionVerdict[]) => found.flatMap(withEvidence);
  return inParagraphs([
    [
      ...wrap(headOf(report)),
      ...gapsForPeople(gaps).flatMap((line) => wrap(line)),
      ...(brokenOff === undefined ? [] : wrap(`The run is incomplete: ${brokenOff}.`)),
    ],
    group('Settled, no difference', agreed, (found) => found.flatMap(withBasis)),
    group('Settled, with a difference', differing, (found) => found.flatMap(withMeaning)),
    group('No value describes the service', of('none'), detailed),
    group('Undecided', of('undecided'), detailed),
    group('Could not be checked', of('could-not-check'), byReason),
    titled(`Unlike openapi.yaml (${violations.length}):`, violations.flatMap(violationLines)),
    check === undefined ? [] : checkLines(check),
    titled('Next:', nextSteps(report)),
  ]);
}

function inParagraphs(paragraphs: readonly (readonly string[])[]): string {
  const shown = paragraphs.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...wrap(title), ...lines];
}

function wrappedNames(names: readonly string[]): string[] {
  return names.length === 0 ? [] : wrap(names.join(', '), 2);
}

/** Such as `Gaps in the recording: no response body (8), no time (2).` in a list of at most one line. */
export function gapsForPeople(gaps: SettleReport['gaps'] = {}): readonly string[] {
  const listed = Object.entries(gaps).map(
    ([gap, times]) => `${gap.replaceAll('-', ' ')} (${times})`,
  );
  return listed.length === 0 ? [] : [`Gaps in the recording: ${listed.join(', ')}.`];
}

function headOf({ target, requests, lost, passedOver }: SettleReport): string {
  const without = lost === 0 ? '' : `; ${count(lost, 'response')} lost`;
  if (passedOver === undefined)
    return `${target}, asked with ${count(requests, 'request')}${without}`;
  const others = count(passedOver, 'other');
  return `${target}, ${count(requests, 'request')} in recordings; ${others} passed over${without}`;
}

/** Such as `final-cursor: absent (2 last pages; not tried: …)`. */
function withBasis({ decision, value, restsOn, evidence }: DecisionVerdict): string[] {
  const title = `${decision}: ${value} (${restsOn})`;
  return [...wrap(title, 2), ...evidence.flatMap((line) => wrap(line, 4))];
}

function withMeaning({ decision, value, inForce, restsOn, evidence }: DecisionVerdict): string[] {
  const { question, values }: LedgerRow = LEDGER[decision];
  const meaning = values[String(value)] ?? String(value);
  return [
    ...wrap(`${decision} is ${value}, not ${inForce} (${restsOn})`, 2),
    ...[`${question} ${meaning}`, ...evidence].flatMap((line) => wrap(line, 4)),
  ];
}

function withEvidence({ decision, restsOn, evidence, reason = '' }: DecisionVerdict): string[] {
  const title = restsOn === undefined ? decision : `${decision} (${restsOn})`;
  return [...wrap(title, 2), ...[reason, ...evidence].flatMap((line) => wrap(line, 4))];
}

/** Groups verdicts by reason: many share one, such as a run that was broken off. */
function byReason(verdicts: readonly DecisionVerdict[]): string[] {
  const reasons = [...new Set(verdicts.map(({ reason = '' }) => reason))];
  return reasons.flatMap((reason) => {
    const ids = verdicts.filter((one) => one.reason === reason).map(({ decision }) => decision);
    return [...wrappedNames(ids), ...wrap(reason, 4)];
  });
}

function violationLines(violation: SettleReport['violations'][number]): string[] {
  const { kind, operationId, pointer, expected, example, ...seen } = violation;
  return [
    ...wrap(`${operationId} ${pointer}: ${kind}, ${seen.count} of ${seen.of}`, 2),
    ...(expected === undefined ? [] : wrap(`expected ${expected}`, 4)),
    ...(example === undefined ? [] : wrap(`received ${example}`, 4)),
  ];
}

function checkLines({ judged, notAsked }: Check): string[] {
  const numberOf = (agrees: boolean | undefined) =>
    judged.filter((verdict) => verdict.agrees === agrees).length;
  const counts = [
    `${numberOf(true)} the same`,
    `${numberOf(false)} different`,
    `${numberOf(undefined)} unknown`,
    `${notAsked.length} not asked`,
  ].join(', ');
  const decisions = count(judged.length + notAsked.length, 'decision');
  return [
    ...wrap(`The check covers ${decisions}: ${counts}.`),
    ...(notAsked.length === 0 ? [] : wrap(`Not asked: ${notAsked.join(', ')}`, 2)),
  ];
}

function nextSteps({ verdicts, brokenOff, passedOver, lost }: SettleReport): string[] {
  const isOfRecordings = passedOver !== undefined;
  const isUndecided = verdicts.some(
    ({ decision, verdict }) => verdict === 'undecided' && !isNeverAsked(decision),
  );
  const isRefused = brokenOff?.includes(TOKEN_REFUSED) ?? false;
  const of = (kind: DecisionVerdict['verdict']) =>
    verdicts.filter(({ verdict }) => verdict === kind).map(({ decision }) => decision);
  const differing = verdicts.filter(({ verdict, agrees }) => verdict === 'settled' && !agrees);
  const unknown = [...of('undecided'), ...of('could-not-check')];
  const isSame = of('none').length === 0 && of('undecided').length === 0;
  const but = [
    of('none').length > 0 &&
      `it still differs in ${of('none').join(', ')}, which no value describes`,
    unknown.length > 0 && `${isSame ? 'not checked' : 'still unknown'}: ${unknown.join(', ')}`,
  ].filter(Boolean);
  const inWhat = unknown.length > 0 ? ' in what was checked' : '';
  const then = isSame ? `it then behaves the same${inWhat}` : 'it then does what is settled';
  const rest = but.length === 0 ? '' : `; ${but.join('; ')}`;
  const steps: readonly [boolean, string][] = [
    [
      isRefused,
      `The service refused the token: check the variable ${SERVICE_TOKEN_VARIABLE}, or the one that --token-env names. If it refused the token because of a request with made-up values, it may accept it again later.`,
    ],
    [
      brokenOff !== undefined && !isRefused,
      'Run settle again once it can finish; if it ran out of requests, raise --max-requests.',
    ],
    [
      differing.length > 0,
      `Write the settled values with --out decisions.yaml, and start the mock with --decisions decisions.yaml: ${then}${rest}.`,
    ],
    [
      differing.length === 0 && of('none').length === 0 && of('settled').length > 0,
      // What is undecided, or was lost, may differ.
      of('undecided').length === 0 && lost === 0
        ? `Nothing to settle: the service behaved like the mock in everything it showed${unknown.length === 0 ? '' : `; still unknown: ${unknown.join(', ')}`}.`
        : `In what is settled, the service behaves like the mock${unknown.length === 0 ? '' : `; still unknown: ${unknown.join(', ')}`}.`,
    ],
    [
      verdicts.some(({ verdict }) => verdict === 'none'),
      'The mock cannot imitate behaviour that no value describes: keep that in mind when a test relies on it.',
    ],
    [
      isUndecided && isOfRecordings,
      'Ask the service itself with --target, or also record the calls that would settle the rest.',
    ],
    [
      isUndecided && !isOfRecordings && brokenOff === undefined,
      'Undecided decisions need other records: use a token that sees more, name a customer with --customer, or name scratch records with --allow-writes, --scratch-contract and --scratch-ref.',
    ],
  ];
  return steps.flatMap(([applies, step]) => (applies ? wrap(step, 2) : []));
}
