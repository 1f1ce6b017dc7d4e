import type { components } from '../generated/control.js';

/** A failure that is injected, with how often it was; which members it has depends on its kind. */
type Listed = components['schemas']['Fault'];

/** The kinds of failure, by their names in `FaultRequest` of the document. */
export type FaultKind = Listed['kind'];

/** Before the operation runs, or after it has committed and before its response leaves. */
export type FaultPhase = Listed['phase'];

interface KindRow {
  /** In words. */
  readonly does: (fault: Omit<Listed, 'explanation'>) => string;
  /** Whether it distorts what the operation answers, which exists only after it has run. */
  readonly distortsResponse?: boolean;
}

const KINDS: Readonly<Record<FaultKind, KindRow>> = {
  status: { does: ({ status }) => `Answers ${status}` },
  delay: { does: ({ delayMs }) => `Waits ${delayMs} ms` },
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

/** The kinds of fault. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];

/** The phase of a fault that names none. */
export function defaultPhaseOf(kind: FaultKind): FaultPhase {
  return KINDS[kind].distortsResponse ? 'after' : 'before';
}

/** What a fault does, in words. */
export function doesInWords(fault: Omit<Listed, 'explanation'>): string {
  return KINDS[fault.kind].does(fault);
}
