import { type DecisionId, LEDGER } from '#spec';
import type { Probe } from './probes/probe.js';
import { PROBES } from './probes/probes.js';
import type { CompleteServiceOptions } from './settle-options.js';

export type Plan = ReturnType<typeof planOf>;

/** The decisions in `only`, or all, in the order of the ledger. */
export function decisionsOf(only: readonly DecisionId[] | undefined): readonly DecisionId[] {
  const all = Object.keys(LEDGER) as DecisionId[];
  return only === undefined ? all : all.filter((id) => only.includes(id));
}

/** True if only probes that change records can settle a decision. */
export function needsWrites(decision: DecisionId): boolean {
  const telling = PROBES.filter(({ tells }) => tells.includes(decision));
  return telling.length > 0 && telling.every(({ changesRecords }) => changesRecords);
}

/** Those of the decisions that a probe may settle; if there are none, those that it supports. */
function sentFor({ tells, supports = [] }: Probe, decisions: readonly DecisionId[]) {
  const [told = [], supported = []] = [tells, supports].map((ids) =>
    ids.filter((id) => decisions.includes(id)),
  );
  return told.length > 0 ? told : supported;
}

export function planOf({
  only,
  allowWrites,
}: Pick<CompleteServiceOptions, 'only' | 'allowWrites'>) {
  const decisions = decisionsOf(only);
  const useful = PROBES.filter((probe) => sentFor(probe, decisions).length > 0);
  const isHeldBack = ({ changesRecords }: Probe) => changesRecords === true && !allowWrites;
  const probes = useful.filter((probe) => !isHeldBack(probe));
  return {
    decisions,
    probes: probes.map((probe) => ({ ...probe, tells: sentFor(probe, decisions) })),
    /** Probes that are not sent because writes are not allowed. */
    heldBack: useful.filter(isHeldBack),
    madeUp: [...new Set(probes.flatMap((probe) => probe.madeUp ?? []))],
  };
}
