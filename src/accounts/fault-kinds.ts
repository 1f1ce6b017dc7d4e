import type { Mistake } from '../errors/invalid-input.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import type { components } from '../generated/control.js';

type Complete = components['schemas']['FaultRequest'];
type Kind = Pick<Complete, 'kind'>;

/** Before the operation runs, or after it has committed and before its answer leaves. */
export type FaultPhase = NonNullable<Complete['phase']>;

/** The members that only some kinds have. */
const OWN_MEMBERS = ['status', 'retryAfterS', 'delayMs'] as const;

interface KindRow {
  /** In words. */
  readonly does: (fault: Complete) => string;
  /** The member that it requires. */
  readonly needs?: (typeof OWN_MEMBERS)[number];
  /** Those of these members that it accepts as well. */
  readonly accepts?: readonly (typeof OWN_MEMBERS)[number][];
  /** Whether it distorts what the operation answers, which exists only after it has run. */
  readonly distortsAnswer?: boolean;
}

const KINDS: Readonly<Record<Complete['kind'], KindRow>> = {
  status: {
    does: ({ status }) => `Answers ${status}`,
    needs: 'status',
    accepts: ['retryAfterS'],
  },
  delay: { does: ({ delayMs }) => `Waits ${delayMs} ms`, needs: 'delayMs' },
  reset: { does: () => 'Resets the connection' },
  empty: { does: () => 'Closes the connection without an answer' },
  'malformed-json': { does: () => 'Answers with JSON that does not end', distortsAnswer: true },
  truncated: {
    does: () => 'Closes the connection half-way through the body',
    distortsAnswer: true,
  },
  slow: {
    does: ({ delayMs }) => `Sends the body over ${delayMs} ms`,
    needs: 'delayMs',
    distortsAnswer: true,
  },
};

/** The kinds of fault. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly Complete['kind'][];

/** The phase of a fault that names none. */
export function defaultPhaseOf(kind: Complete['kind']): FaultPhase {
  return KINDS[kind].distortsAnswer ? 'after' : 'before';
}

/**
 * Refuses a fault without the member that its kind requires, with one that it would ignore, or in a
 * phase that its kind does not have.
 */
export function refuseOddMembers(request: Kind & Partial<Complete>): void {
  const { kind, phase } = request;
  const { needs, accepts = [], distortsAnswer = false } = KINDS[kind];
  const own: readonly string[] = [...(needs ? [needs] : []), ...accepts];
  const missing = own.filter((name) => name === needs && !(name in request));
  const ignored = OWN_MEMBERS.filter((name) => name in request && !own.includes(name));
  const mistakes = [
    ...missing.map((name) => ({
      path: [name],
      expected: `this member with the kind '${kind}'`,
      received: undefined,
      fix: 'Add it.',
    })),
    ...ignored.map((name) => ({
      path: [name],
      expected: `no such member with the kind '${kind}'`,
      received: request[name],
      fix: `Remove it: a fault of the kind '${kind}' accepts ${own.join(' and ') || 'none of these'}.`,
    })),
    ...(distortsAnswer && phase === 'before' ? [tooEarly(kind)] : []),
  ];
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

function tooEarly(kind: Complete['kind']): Mistake {
  return {
    path: ['phase'],
    expected: `'after' with the kind '${kind}', which distorts what the operation answers`,
    received: 'before',
    fix: 'Leave out phase, or set it to "after".',
  };
}

/** What a fault does, in words. */
export function doesInWords(fault: Complete): string {
  return KINDS[fault.kind].does(fault);
}
