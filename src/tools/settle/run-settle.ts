import { randomUUID } from 'node:crypto';
import { type DecisionId, hiderOf, type OpenApiDocument } from '#spec';
import { realTimeMs } from '../../host/adapters/unfaked-time.js';
import { readPackageYaml } from '../../host/server/documents/package-files.js';
import { askDoubtfulAgain } from './ask-again.js';
import type { Probe } from './probes/probe.js';
import { needsWrites, type Plan, planOf } from './probes/probes.js';
import { settleRecordings } from './recordings/settle-recordings.js';
import { CallFailed } from './send/call-failed.js';
import { createSender } from './send/sender.js';
import {
  baseOf,
  type CompleteServiceOptions,
  completeSettleOptions,
  type SettleOptions,
} from './settle-options.js';
import type { SettleReport } from './settle-report.js';
import { type ConcludeUnseen, concludeAll, valuesInForce } from './verdict.js';

/** How often, at most, a probe that lost a response is sent again after all the others. */
const MOST_ROUNDS = 2;

export async function runSettle(options: SettleOptions): Promise<SettleReport> {
  const complete = completeSettleOptions(options);
  // Throws for an invalid `inForce` before the first request.
  valuesInForce(complete);
  const document = readPackageYaml('openapi.yaml') as OpenApiDocument;
  return 'recordings' in complete
    ? settleRecordings(complete, document)
    : settleService(complete, document);
}

async function settleService(
  options: CompleteServiceOptions,
  document: OpenApiDocument,
): Promise<SettleReport> {
  const startedAt = new Date(realTimeMs()).toISOString();
  const plan = planOf(options);
  const target = baseOf(options.target);
  const sender = createSender(options, target);
  const failures = await sendAll(plan, sender, options);
  const { samples, unanswered } = sender;
  await askDoubtfulAgain({ samples, document }, plan, sender, options);
  // Without any usable response the run has failed, even if too few requests failed to end it.
  const failure = sender.hasResponses() ? undefined : [...failures.values()].at(-1);
  const brokenOff = sender.brokenOff() ?? failure;
  const concludeUnseen = whyUnseen(brokenOff, failures, options);
  const seen = { samples, unanswered, document };
  const found = concludeAll(plan.decisions, seen, concludeUnseen, options);
  // Responses were redacted on arrival; this is a second line of defence.
  return hiderOf({ secrets: [options.token] })({
    target,
    startedAt,
    requests: sender.requests(),
    lost: sender.lost(),
    ...(brokenOff !== undefined && { brokenOff }),
    ...found,
  });
}

/**
 * Sends the probes of a plan, then again those that lost responses, unless they change records.
 * Returns, for each decision, why requests that were sent for it failed.
 */
async function sendAll(
  { probes }: Plan,
  sender: ReturnType<typeof createSender>,
  { onProgress, ...known }: CompleteServiceOptions,
): Promise<ReadonlyMap<DecisionId, string>> {
  const { ask, samples, pause, requests, brokenOff, losses } = sender;
  const seed = randomUUID();
  const left = () => known.maxRequests - requests();
  const failures = new Map<DecisionId, string>();
  const lossy = new Set<Probe>();
  const sendOne = async (probe: Probe) => {
    const before = losses.length;
    try {
      await probe.send(ask, { samples, seed, left, pause, ...known });
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      for (const id of probe.tells) failures.set(id, error.message);
    }
    if (losses.length === before) lossy.delete(probe);
    else lossy.add(probe);
  };
  const all = probes.length;
  onProgress?.({ done: 0, all, requests: 0 });
  for (const [index, probe] of probes.entries()) {
    await sendOne(probe);
    if (brokenOff() !== undefined) return failures;
    onProgress?.({ done: index + 1, all, requests: requests(), sent: probe.requests });
  }
  sender.askAgain();
  // Never repeat writes: they may have succeeded although the response was lost.
  const reads = probes.filter(({ changesRecords }) => !changesRecords);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const probe of reads) if (lossy.has(probe)) await sendOne(probe);
  }
  for (const { tells } of lossy) for (const id of tells) failures.set(id, String(losses.at(-1)));
  return failures;
}

/** Reports the first reason that applies. */
function whyUnseen(
  brokenOff: string | undefined,
  failures: ReadonlyMap<DecisionId, string>,
  { allowWrites }: CompleteServiceOptions,
): ConcludeUnseen {
  return (decision, { whyNeverAsked, wanted }) => {
    const failure = failures.get(decision);
    const reasons = [
      needsWrites(decision) &&
        !allowWrites &&
        'Only calls that change records can settle this decision, and they were not allowed.',
      whyNeverAsked !== undefined && `No request settles this decision. ${whyNeverAsked}`,
      brokenOff !== undefined && `The run is incomplete: ${brokenOff}.`,
      failure !== undefined && `${failure}.`,
      `No response settles this decision; ${wanted} would.`,
    ];
    return { verdict: 'could-not-check', reason: String(reasons.find(Boolean)) };
  };
}
