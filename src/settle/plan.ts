import { type DecisionId, LEDGER } from '../decisions/ledger.js';
import type { Probe } from './probes/probe.js';
import { PROBES } from './probes/probes.js';
import type { CompleteServiceOptions } from './settle-options.js';

/** What a run is about to send. */
export type Plan = ReturnType<typeof planOf>;

const MADE_UP_ID = 'ids and names that no record should have: of zeros, and random ones';

/** What is made up to tell these decisions. */
const MADE_UP: Partial<Record<DecisionId, string>> = {
  'unauthorized-status': 'calls without a token',
  'unknown-token': 'random tokens',
  'unknown-identifier-status': MADE_UP_ID,
  'customer-id-matches': 'ids in another case',
  'name-matches': 'names in another case, and in other forms',
  'invalid-cursor': 'cursors that were never issued',
  'empty-parameter': 'empty parameters',
  'fractional-limit': 'fractions as limits',
  'limit-out-of-bounds': 'limits out of bounds',
  'unknown-query-parameters': 'a query parameter that the specification does not list',
  'unmatched-refs': 'refs that no event should have: of zeros, and a random one',
  'unknown-body-members': 'a member of a body that the specification does not list',
};

/** The decisions that these options name, in the order of the ledger. */
export function decisionsOf(only: readonly DecisionId[] | undefined): readonly DecisionId[] {
  const all = Object.keys(LEDGER) as DecisionId[];
  return only === undefined ? all : all.filter((id) => only.includes(id));
}

/** Whether only probes that change records tell a decision. */
export function needsWrites(decision: DecisionId): boolean {
  const telling = PROBES.filter(({ tells }) => tells.includes(decision));
  return telling.length > 0 && telling.every(({ changesRecords }) => changesRecords);
}

/** Which of these decisions a probe tells, or else supports. */
function sentFor({ tells, supports = [] }: Probe, decisions: readonly DecisionId[]) {
  const [told = [], supported = []] = [tells, supports].map((ids) =>
    ids.filter((id) => decisions.includes(id)),
  );
  return told.length > 0 ? told : supported;
}

/** What a run with these options sends. */
export function planOf({
  only,
  allowWrites,
}: Pick<CompleteServiceOptions, 'only' | 'allowWrites'>) {
  const decisions = decisionsOf(only);
  const useful = PROBES.filter((probe) => sentFor(probe, decisions).length > 0);
  const isHeldBack = ({ changesRecords }: Probe) => changesRecords === true && !allowWrites;
  const probes = useful.filter((probe) => !isHeldBack(probe));
  const madeUp = probes.flatMap(({ tells }) => tells).flatMap((id) => MADE_UP[id] ?? []);
  return {
    /** The decisions that are judged, in the order of the ledger. */
    decisions,
    probes: probes.map((probe) => ({ ...probe, tells: sentFor(probe, decisions) })),
    /** What would be sent as well if changes were allowed. */
    heldBack: useful.filter(isHeldBack),
    /** What is sent that is made up, each as a noun phrase. */
    madeUp: [...new Set(madeUp)],
  };
}
