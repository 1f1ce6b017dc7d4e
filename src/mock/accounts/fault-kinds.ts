import type { components } from '../../generated/control.js';
import { DEFAULT_PHASES } from '../../generated/fault-kinds.js';

type Listed = components['schemas']['Fault'];

export type FaultKind = Listed['kind'];

/** Before the operation runs, or after it has committed but before its response is sent. */
export type FaultPhase = Listed['phase'];

/** What a fault of each kind does, in words. */
const DOES: Readonly<Record<FaultKind, (fault: Omit<Listed, 'explanation'>) => string>> = {
  status: ({ status }) => `Answers ${status}`,
  delay: ({ delayMs }) => `Waits ${delayMs} ms`,
  hold: () => 'Holds the response until the fault is removed, for at most 60 s,',
  reset: () => 'Resets the connection',
  empty: () => 'Closes the connection without a response',
  'malformed-json': () => 'Answers with incomplete JSON',
  truncated: () => 'Closes the connection halfway through the body',
  slow: ({ delayMs }) => `Sends the body over ${delayMs} ms`,
  respond: ({ status = 200 }) => `Answers ${status} with the given response`,
};

export const FAULT_KINDS = Object.keys(DEFAULT_PHASES) as readonly FaultKind[];

export function defaultPhaseOf(kind: FaultKind): FaultPhase {
  return DEFAULT_PHASES[kind];
}

export function doesInWords(fault: Omit<Listed, 'explanation'>): string {
  return DOES[fault.kind](fault);
}
