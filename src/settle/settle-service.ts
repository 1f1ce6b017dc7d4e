import { Redaction } from '../accounts/journal/redact-secrets.js';
import type { DecisionId } from '../decisions/ledger.js';
import { realTimeMs } from '../http/real-time.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import type { CompleteServiceOptions } from './complete-settle-options.js';
import { concludeAll } from './conclude-all.js';
import { type Plan, planOf } from './plan.js';
import { CallFailed } from './send/call-failed.js';
import { createSender, type Sender } from './send/sender.js';
import { targetOf } from './send/target.js';
import type { SettleReport } from './settle-report.js';
import { valuesInForce } from './values-in-force.js';
import type { NothingSeen, ReasonOf } from './verdict.js';

/** What failed of what could have told a decision. */
type Failures = Map<DecisionId, string>;

/** Asks a service, and concludes from its answers. */
export async function settleService(
  options: CompleteServiceOptions,
  document: OpenApiDocument,
): Promise<SettleReport> {
  // Refused before the first request.
  valuesInForce(options);
  const startedAt = new Date(realTimeMs()).toISOString();
  const plan = planOf(options);
  const redaction = new Redaction(options.token === undefined ? [] : [options.token]);
  const target = targetOf(options.target);
  const sender = createSender({ ...options, signal: options.signal, document, target });
  const failures = await sendAll(plan, sender, options);
  const { exchanges } = sender;
  // Fewer requests than break a run off may all have failed.
  const failure = sender.hasAnswers() ? undefined : [...failures.values()].at(-1);
  const brokenOff = sender.brokenOff() ?? failure;
  const nothingSeen = reasonsOf(plan, brokenOff, failures, options);
  const found = concludeAll(plan.decisions, { exchanges, document }, nothingSeen, options);
  // What the service says was redacted as it came; this is for what a mistake would let through.
  return redaction.hide({
    target: `${target.origin}${target.prefix}`,
    startedAt,
    requests: sender.requests(),
    ...(brokenOff !== undefined && { brokenOff }),
    ...found,
  });
}

/** Sends the requests of a plan, until the run is over. */
async function sendAll(
  { probes }: Plan,
  sender: Sender,
  { onProgress, customers, scratchContracts, scratchRefs }: CompleteServiceOptions,
): Promise<Failures> {
  const failures: Failures = new Map();
  const known = { exchanges: sender.exchanges, customers, scratchContracts, scratchRefs };
  const all = probes.length;
  onProgress?.({ done: 0, all, requests: 0 });
  for (const [index, { send, tells, requests }] of probes.entries()) {
    try {
      await send(sender.ask, known);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      for (const id of tells) failures.set(id, error.message);
    }
    if (sender.brokenOff() !== undefined) break;
    onProgress?.({ done: index + 1, all, requests: sender.requests(), sent: requests });
  }
  return failures;
}

/** Why a decision of which nothing was seen could not be checked: the first reason that applies. */
function reasonsOf(
  { probes }: Plan,
  brokenOff: string | undefined,
  failures: Failures,
  { allowWrites }: CompleteServiceOptions,
): ReasonOf {
  const couldNotCheck = (sentence: string): NothingSeen => ({
    verdict: 'could-not-check',
    reason: sentence,
  });
  return (decision, { needsWrites, isNeverAsked, wanted }) => {
    const failure = failures.get(decision);
    const isAsked = probes.some(({ tells }) => tells.includes(decision));
    if (needsWrites && !allowWrites) {
      return couldNotCheck('Only calls that change records tell it, and these were not allowed.');
    }
    if (isNeverAsked !== undefined) {
      return couldNotCheck(`It is never asked for: ${asClause(isNeverAsked)}.`);
    }
    if (brokenOff !== undefined) return couldNotCheck(`The run was broken off: ${brokenOff}.`);
    if (failure !== undefined) return couldNotCheck(`${failure}.`);
    return couldNotCheck(
      isAsked
        ? `Nothing that was answered tells it; ${wanted} would.`
        : `No request asks for it; ${wanted} would tell.`,
    );
  };
}

/** A sentence as it is within another. */
function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}
