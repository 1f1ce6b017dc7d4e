import { randomUUID } from 'node:crypto';
import { DEFAULT_DECISIONS, type DecisionId, hiderOf, LEDGER, type OpenApiDocument } from '#spec';
import { memberOf } from '../../core/values/json-value.js';
import { realTimeMs } from '../../host/adapters/unfaked-time.js';
import { completeOptions } from '../../host/options/complete-options.js';
import { readPackageYaml } from '../../host/server/documents/package-files.js';
import { violationsOf } from './conformity.js';
import { answerAll } from './judge/answer.js';
import type { Found } from './judge/table.js';
import { inSequence } from './recordings/calls-of-recording.js';
import { readRecordings } from './recordings/read-recordings.js';
import { withWhatToRecord } from './recordings/what-to-record.js';
import { decisionsOf, needsWrites, planOf, sendScript } from './script/script.js';
import { restsOn } from './seen/evidence.js';
import { hidingCustomers } from './seen/hide-customers.js';
import { mayBeLost, withoutRecovered } from './seen/lost-responses.js';
import type { Sample } from './seen/samples.js';
import { createSender } from './send/sender.js';
import {
  baseOf,
  type CompleteServiceOptions,
  completeSettleOptions,
  type RecordingOptions,
  type SettleOptions,
} from './settle-options.js';
import type { DecisionVerdict, SettleReport } from './settle-report.js';
import { unexplainedIn } from './unexplained.js';

export async function runSettle(options: SettleOptions): Promise<SettleReport> {
  const complete = completeSettleOptions(options);
  // Throws for an invalid `inForce` before the first request.
  const inForce = valuesInForce(complete);
  const document = readPackageYaml('openapi.yaml') as OpenApiDocument;
  const judged = { document, inForce, decisions: decisionsOf(complete.only) };
  return 'recordings' in complete
    ? settleRecordings(complete, judged)
    : settleService(complete, judged);
}

/** What verdicts are about. */
interface Judged {
  readonly document: OpenApiDocument;
  readonly decisions: readonly DecisionId[];
  readonly inForce: Readonly<Record<DecisionId, string | number>>;
}

async function settleRecordings(
  { recordings, basePath }: RecordingOptions,
  judged: Judged,
): Promise<SettleReport> {
  const read = readRecordings(recordings, basePath, judged.document);
  const { host, samples, unanswered, startedAtMs, passedOver, gaps, tokens } = read;
  const unseen = () => ({
    verdict: 'undecided' as const,
    reason: 'Nothing in the recording tells its values apart.',
  });
  const concluded = await concludeAll(inSequence(samples, unanswered), judged, unseen);
  return hiderOf({ secrets: tokens })({
    target: host,
    ...(startedAtMs !== undefined && { startedAt: new Date(startedAtMs).toISOString() }),
    requests: samples.length,
    lost: samples.filter(mayBeLost).length,
    passedOver,
    gaps,
    ...concluded,
    verdicts: concluded.verdicts.map(withWhatToRecord),
  });
}

async function settleService(
  options: CompleteServiceOptions,
  judged: Judged,
): Promise<SettleReport> {
  const startedAt = new Date(realTimeMs()).toISOString();
  const { blocks } = planOf(options);
  const target = baseOf(options.target);
  const sender = createSender(options, target);
  const failures = await sendScript(blocks, sender, { ...options, seed: randomUUID() });
  // Without any usable response the run has failed, even if too few requests failed to end it.
  const failure = sender.hasResponses() ? undefined : [...failures.values()].at(-1);
  const brokenOff = sender.brokenOff() ?? failure;
  const unseen = (decision: DecisionId, reason: string) => {
    const isHeldBack = needsWrites(decision) && !options.allowWrites;
    const reasons = [
      isHeldBack &&
        'Only calls that change records can settle this decision, and they were not allowed.',
      brokenOff !== undefined && `The run is incomplete: ${brokenOff}.`,
      failures.has(decision) && `${failures.get(decision)}.`,
      reason,
    ];
    return { verdict: 'could-not-check' as const, reason: String(reasons.find(Boolean)) };
  };
  const samples = inSequence(sender.samples, sender.unanswered);
  // Responses were redacted on arrival; this is a second line of defence.
  return hiderOf({ secrets: [options.token] })({
    target,
    startedAt,
    requests: sender.requests(),
    lost: sender.lost(),
    ...(brokenOff !== undefined && { brokenOff }),
    ...(await concludeAll(samples, judged, unseen)),
  });
}

type ConcludeUnseen = (
  decision: DecisionId,
  reason: string,
) => Pick<DecisionVerdict, 'verdict' | 'reason'>;

const NOT_ASKED = 'Not asked: no request of settle is about this decision.';

async function concludeAll(
  samples: readonly Sample[],
  { document, decisions, inForce }: Judged,
  unseen: ConcludeUnseen,
): Promise<Pick<SettleReport, 'verdicts' | 'violations' | 'unexplained'>> {
  const seen = { samples, document };
  const found = await answerAll(samples, document);
  const verdicts = decisions.map((decision): DecisionVerdict => {
    const {
      verdict,
      value,
      evidence,
      reason = NOT_ASKED,
      samples: rests = [],
    }: Found = found.get(decision) ?? { verdict: 'unseen', evidence: [] };
    const isKnown = verdict === 'settled' || verdict === 'none';
    const agrees = String(value) === String(inForce[decision]);
    return {
      decision,
      ...(verdict === 'unseen' ? unseen(decision, reason) : { verdict }),
      ...(verdict !== 'unseen' && verdict !== 'settled' && { reason }),
      ...(value !== undefined && { value }),
      evidence,
      ...(rests.length > 0 && { restsOn: restsOn(rests) }),
      inForce: inForce[decision],
      ...(isKnown && { agrees }),
    };
  });
  return hidingCustomers(seen)({
    verdicts,
    unexplained: unexplainedIn(found, decisions),
    violations: violationsOf({ samples: withoutRecovered(samples), document }),
  });
}

/** The values to compare a service with. Throws an `OptionError` if one is not valid. */
function valuesInForce({ inForce = {} }: Pick<SettleOptions, 'inForce'>): Judged['inForce'] {
  const { decisions } = completeOptions({ decisions: inForce });
  const given = Object.entries(decisions).map(([id, change]: [string, unknown]) => {
    // A decision may come with its evidence, and a status may be text.
    const value = memberOf(change, 'value') ?? change;
    const isStatus = typeof LEDGER[id as DecisionId].default === 'number';
    return [id, isStatus ? Number(value) : value];
  });
  return { ...DEFAULT_DECISIONS, ...Object.fromEntries(given) };
}
