import { LEDGER, type LedgerRow } from '#spec';
import { count } from '../../../core/values/plural.js';
import { SERVICE_TOKEN_VARIABLE } from '../../../host/terminal/service-token.js';
import { inParagraphs, wrap } from '../../../host/terminal/wrap-text.js';
import { gapsInWords } from '../recordings/read-recordings.js';
import { type Block, isNeverAsked, planOf } from '../script/script.js';
import { TOKEN_REFUSED } from '../send/call-failed.js';
import { MAX_WAIT_MS } from '../send/rate-and-waits.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import type { DecisionVerdict, SettleReport, UnexplainedResponse } from '../settle-report.js';
import type { Check } from './check-against-file.js';

/** A line of a report, and perhaps lines about it. */
type Item = string | readonly [line: string, ...below: string[]];

export function planForPeople(options: CompleteServiceOptions): string {
  const { target, scratchContracts, scratchRefs } = options;
  const { decisions, blocks, heldBack } = planOf(options);
  const reading = blocks.filter(({ changesRecords }) => !changesRecords);
  const changing = blocks.filter(({ changesRecords }) => changesRecords);
  const told = [...blocks, ...heldBack].flatMap(({ tells }) => tells);
  const untold = decisions.filter((id) => !told.includes(id));
  const withDecisions = ({ requests: [first = '', ...more], tells }: Block): Item => [
    first,
    ...more,
    `for ${tells.join(', ')}`,
  ];
  const deletable = [
    `contracts: ${scratchContracts.join(', ') || 'none'}`,
    `refs of events: ${scratchRefs.join(', ') || 'none'}`,
  ];
  return inParagraphs([
    wrap(`The plan for ${target}: ${boundsForPeople(options)}.`),
    listed('Reads records:', reading.map(withDecisions)),
    listed('Changes records:', changing.map(withDecisions)),
    listed('Only these may be deleted:', changing.length === 0 ? [] : deletable),
    listed(
      'Not sent without --allow-writes, and --scratch-contract or --scratch-ref:',
      heldBack.map(withDecisions),
    ),
    listed(
      'Made up, to see how the service responds:',
      blocks.map(({ madeUp }) => madeUp),
    ),
    listed('Never asked, and never settled:', untold.length === 0 ? [] : [untold.join(', ')]),
  ]);
}

export function boundsForPeople({ maxRequests, rate }: CompleteServiceOptions): string {
  const waiting = `at most ${MAX_WAIT_MS / 1000} s of waiting`;
  return `at most ${count(maxRequests, 'request')}, ${rate} a second, one at a time, and ${waiting}`;
}

export function settleReportForPeople(report: SettleReport, check: Check | undefined): string {
  const { verdicts, brokenOff, violations, gaps, unexplained } = report;
  const of = (kind: DecisionVerdict['verdict']) => verdicts.filter((one) => one.verdict === kind);
  const agreed = of('settled').filter(({ agrees }) => agrees);
  const differing = of('settled').filter(({ agrees }) => !agrees);
  const unchecked = of('could-not-check');
  const group = <One>(title: string, found: readonly One[], itemOf: (one: One) => Item) =>
    listed(`${title} (${found.length}):`, found.map(itemOf));
  return inParagraphs([
    [
      ...wrap(headOf(report)),
      ...gapsInWords(gaps).flatMap((line) => wrap(line)),
      ...(brokenOff === undefined ? [] : wrap(`The run is incomplete: ${brokenOff}.`)),
    ],
    group('Settled, no difference', agreed, withBasis),
    group('Settled, with a difference', differing, withMeaning),
    group('No value describes the service', of('none'), withEvidence),
    group('Undecided', of('undecided'), withEvidence),
    group('Unexplained', unexplained, withOpenDecisions),
    listed(`Could not be checked (${unchecked.length}):`, byReason(unchecked)),
    group('Unlike openapi.yaml', violations, withExample),
    check === undefined ? [] : checkLines(check),
    listed('Next:', nextSteps(report)),
  ]);
}

/** A title with its items; nothing without items. */
function listed(title: string, items: readonly Item[]): readonly string[] {
  const lines = items.flatMap((item) => {
    const [line = '', ...below] = [item].flat();
    return [...wrap(line, 2), ...below.flatMap((one) => wrap(one, 4))];
  });
  return lines.length === 0 ? [] : [...wrap(title), ...lines];
}

function headOf({ target, requests, lost, passedOver }: SettleReport): string {
  const without = lost === 0 ? '' : `; ${count(lost, 'response')} lost`;
  if (passedOver === undefined)
    return `${target}, asked with ${count(requests, 'request')}${without}`;
  const others = count(passedOver, 'other');
  return `${target}, ${count(requests, 'request')} in recordings; ${others} passed over${without}`;
}

/** Such as `final-cursor: absent (6 responses to 3 requests)`. */
function withBasis({ decision, value, restsOn, evidence }: DecisionVerdict): Item {
  return [`${decision}: ${value} (${restsOn})`, ...evidence];
}

function withMeaning({ decision, value, inForce, restsOn, evidence }: DecisionVerdict): Item {
  const { question, values }: LedgerRow = LEDGER[decision];
  const meaning = `${question} ${values[String(value)] ?? value}`;
  return [`${decision} is ${value}, not ${inForce} (${restsOn})`, meaning, ...evidence];
}

function withEvidence({ decision, restsOn, evidence, reason = '' }: DecisionVerdict): Item {
  return [restsOn === undefined ? decision : `${decision} (${restsOn})`, reason, ...evidence];
}

/** Groups verdicts by reason: many share one, such as a run that was broken off. */
function byReason(verdicts: readonly DecisionVerdict[]): readonly Item[] {
  const reasons = [...new Set(verdicts.map(({ reason = '' }) => reason))];
  return reasons.map((reason) => {
    const ids = verdicts.filter((one) => one.reason === reason).map(({ decision }) => decision);
    return [ids.join(', '), reason];
  });
}

function withOpenDecisions({ response, records, decisions }: UnexplainedResponse): Item {
  const shown = records === undefined ? '' : ` with ${count(records, 'record')}`;
  return [
    `${response}${shown}; no value of any decision predicts it`,
    `keeps open: ${decisions.join(', ')}`,
  ];
}

function withExample(violation: SettleReport['violations'][number]): Item {
  const { kind, operationId, pointer, expected, example, ...seen } = violation;
  return [
    `${operationId} ${pointer}: ${kind}, ${seen.count} of ${seen.of}`,
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(example === undefined ? [] : [`received ${example}`]),
  ];
}

function checkLines({ judged, notAsked }: Check): readonly string[] {
  const numberOf = (agrees: boolean | undefined) =>
    judged.filter((verdict) => verdict.agrees === agrees).length;
  const counts = `${numberOf(true)} the same, ${numberOf(false)} different, ${numberOf(undefined)} unknown, ${notAsked.length} not asked`;
  const decisions = count(judged.length + notAsked.length, 'decision');
  const names = notAsked.length === 0 ? [] : wrap(`Not asked: ${notAsked.join(', ')}`, 2);
  return [...wrap(`The check covers ${decisions}: ${counts}.`), ...names];
}

function nextSteps({ verdicts, brokenOff, passedOver, lost }: SettleReport): readonly string[] {
  const of = (kind: DecisionVerdict['verdict']) =>
    verdicts.filter(({ verdict }) => verdict === kind).map(({ decision }) => decision);
  const [none, undecided] = [of('none'), of('undecided')];
  const open = [...undecided, ...of('could-not-check')];
  const unknown = open.length === 0 ? '' : `; still unknown: ${open.join(', ')}`;
  const but = `; it still differs in ${none.join(', ')}, which no value describes`;
  const isSame = none.length + open.length === 0;
  const then = isSame ? 'behaves the same' : 'does what is settled';
  // What is undecided, or was lost, may differ.
  const alike =
    undecided.length === 0 && lost === 0
      ? 'Nothing to settle: the service behaved like the mock in everything it showed'
      : 'In what is settled, the service behaves like the mock';
  const isDifferent = verdicts.some(({ verdict, agrees }) => verdict === 'settled' && !agrees);
  const steps: readonly (string | false)[] = [
    brokenOff !== undefined &&
      (brokenOff.includes(TOKEN_REFUSED)
        ? `The service refused the token: check the variable ${SERVICE_TOKEN_VARIABLE}, or the one that --token-env names. If it refused the token because of a request with made-up values, it may accept it again later.`
        : 'Run settle again once it can finish; if it ran out of requests, raise --max-requests.'),
    isDifferent
      ? `Write the settled values with --out decisions.yaml, and start the mock with --decisions decisions.yaml: it then ${then}${none.length === 0 ? '' : but}${unknown}.`
      : none.length === 0 && of('settled').length > 0 && `${alike}${unknown}.`,
    none.length > 0 &&
      'The mock cannot imitate behaviour that no value describes: keep that in mind when a test relies on it.',
    brokenOff === undefined &&
      undecided.some((id) => !isNeverAsked(id)) &&
      (passedOver === undefined
        ? 'Undecided decisions need other records: use a token that sees more, name a customer with --customer, or name scratch records with --allow-writes, --scratch-contract and --scratch-ref.'
        : 'Ask the service itself with --target, or also record the calls that would settle the rest.'),
  ];
  return steps.filter((step) => step !== false);
}
