import type { FaultRequest } from '../../src/index.js';
import {
  defaultPhaseOf,
  FAULT_KINDS,
  type FaultKind,
} from '../../src/mock/accounts/fault-kinds.js';

const DELAY_MS = 40;

/** What each kind of fault needs, beside its kind. */
const MEMBERS: Readonly<Record<FaultKind, object>> = {
  status: { status: 503, retryAfterS: 7 },
  delay: { delayMs: DELAY_MS },
  hold: {},
  reset: {},
  empty: {},
  'malformed-json': {},
  truncated: {},
  slow: { delayMs: DELAY_MS },
  respond: { status: 202, headers: { 'X-Own': 'yes' }, body: [null] },
};

/** A fault of each kind. */
export const FAULTS = FAULT_KINDS.map((kind) => ({ kind, ...MEMBERS[kind] }) as FaultRequest);

/** The faults that distort the response of an operation, and are possible only after it. */
export const DISTORTING = FAULTS.filter(({ kind }) => defaultPhaseOf(kind) === 'after');

/** A fault of each kind in each phase that it may have. */
export const FAULTS_IN_PHASES = FAULTS.flatMap((fault) => {
  const phases = DISTORTING.includes(fault) ? ['after'] : ['before', 'after'];
  return phases.map((phase) => ({ ...fault, phase }) as FaultRequest);
});

export function delayOf(fault: FaultRequest): number {
  return 'delayMs' in fault ? fault.delayMs : 0;
}
