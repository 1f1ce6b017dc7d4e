import type { components } from '../../generated/control.js';

type Listed = components['schemas']['Fault'];

export type FaultKind = Listed['kind'];

/** Before the operation runs, or after it has committed but before its response is sent. */
export type FaultPhase = Listed['phase'];

interface KindRow {
  readonly does: (fault: Omit<Listed, 'explanation'>) => string;
  /** Whether it distorts the operation's response, which exists only after the operation. */
  readonly distortsResponse?: boolean;
}

const KINDS: Readonly<Record<FaultKind, KindRow>> = {
  status: { does: ({ status }) => `Answers ${status}` },
  delay: { does: ({ delayMs }) => `Waits ${delayMs} ms` },
  hold: { does: () => 'Holds the response until the fault is removed, for at most 60 s,' },
  reset: { does: () => 'Resets the connection' },
  empty: { does: () => 'Closes the connection without a response' },
  'malformed-json': { does: () => 'Answers with incomplete JSON', distortsResponse: true },
  truncated: {
    does: () => 'Closes the connection halfway through the body',
    distortsResponse: true,
  },
  slow: { does: ({ delayMs }) => `Sends the body over ${delayMs} ms`, distortsResponse: true },
  respond: { does: ({ status = 200 }) => `Answers ${status} with the given response` },
};

export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];

export function defaultPhaseOf(kind: FaultKind): FaultPhase {
  return KINDS[kind].distortsResponse ? 'after' : 'before';
}

export function doesInWords(fault: Omit<Listed, 'explanation'>): string {
  return KINDS[fault.kind].does(fault);
}
