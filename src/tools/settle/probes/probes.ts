import { type DecisionId, LEDGER } from '#spec';
import { TOKENS } from '../seen/evidence.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CUSTOMER_PROBES } from './customer-probes.js';
import { DELETION_PROBES } from './deletion-probes.js';
import { LISTING_AGAIN, LISTING_PROBES } from './listing-probes.js';
import type { Probe } from './probe.js';

const SHORTEST_LISTING = { operationId: 'listMeasurements', query: [['limit', '1']] } as const;

/**
 * Listings without a token and with made-up ones, each followed by one with the given token: if
 * the service refuses the given token from then on, it has locked it out.
 */
export const TOKEN_PROBES: readonly Probe[] = (['none', 'made-up', 'alike'] as const).map(
  (token) => ({
    requests: `GET /measurements?limit=1${TOKENS[token]}, and again with the given one`,
    madeUp: token === 'none' ? 'calls without a token' : 'random tokens',
    // Without a token, it shows only whether the service needs one.
    ...(token === 'none'
      ? { tells: ['unauthorized-status', 'error-body'], supports: ['unknown-token'] }
      : { tells: ['unauthorized-status', 'unknown-token', 'error-body'] }),
    send: async (ask) => {
      await ask({ ...SHORTEST_LISTING, token }).finally(() => ask(SHORTEST_LISTING));
    },
  }),
);

/**
 * Every probe, in the order of sending: those that change records come late, and those that may
 * lock the token out come last.
 */
export const PROBES: readonly Probe[] = [
  ...LISTING_PROBES,
  ...CUSTOMER_PROBES,
  ...DELETION_PROBES,
  LISTING_AGAIN,
  ...TOKEN_PROBES,
];

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

export function planOf({ only, allowWrites }: CompleteServiceOptions) {
  const decisions = decisionsOf(only);
  const useful = PROBES.map((probe) => ({ ...probe, tells: sentFor(probe, decisions) })).filter(
    ({ tells }) => tells.length > 0,
  );
  const isHeldBack = ({ changesRecords }: Probe) => changesRecords === true && !allowWrites;
  const probes = useful.filter((probe) => !isHeldBack(probe));
  return {
    decisions,
    probes,
    /** Probes that are not sent because writes are not allowed. */
    heldBack: useful.filter(isHeldBack),
    madeUp: [...new Set(probes.flatMap((probe) => probe.madeUp ?? []))],
  };
}

/** Those of the decisions that a probe may settle; if there are none, those that it supports. */
function sentFor({ tells, supports = [] }: Probe, decisions: readonly DecisionId[]) {
  const told = decisions.filter((id) => tells.includes(id));
  return told.length > 0 ? told : decisions.filter((id) => supports.includes(id));
}
