import { InvalidInputError } from '../errors/invalid-input.js';
import type { components } from '../generated/control.js';

type Complete = components['schemas']['FaultRequest'];
type Kind = Pick<Complete, 'kind'>;

/** The members that certain kinds have of their own. */
const OWN_MEMBERS = ['status', 'retryAfterS', 'delayMs'] as const;

interface KindRow {
  /** In words. */
  readonly does: (fault: Complete) => string;
  /** The member that it cannot do without. */
  readonly needs?: (typeof OWN_MEMBERS)[number];
  /** The members of its own that may be left out. */
  readonly takes?: readonly (typeof OWN_MEMBERS)[number][];
}

const KINDS: Readonly<Record<Complete['kind'], KindRow>> = {
  status: {
    does: ({ status }) => `Answers ${status}`,
    needs: 'status',
    takes: ['retryAfterS'],
  },
  delay: { does: ({ delayMs }) => `Waits ${delayMs} ms`, needs: 'delayMs' },
  reset: { does: () => 'Resets the connection' },
  empty: { does: () => 'Closes the connection without an answer' },
  'malformed-json': { does: () => 'Answers with JSON that does not end' },
  truncated: { does: () => 'Closes the connection half-way through the body' },
  slow: { does: ({ delayMs }) => `Sends the body over ${delayMs} ms`, needs: 'delayMs' },
};

/** Refuses a fault without the member that its kind needs, or with one that it would not heed. */
export function refuseOddMembers(request: Kind & Partial<Complete>): void {
  const { kind } = request;
  const { needs, takes = [] } = KINDS[kind];
  const own: readonly string[] = [...(needs ? [needs] : []), ...takes];
  const missing = own.filter((name) => name === needs && !(name in request));
  const unheeded = OWN_MEMBERS.filter((name) => name in request && !own.includes(name));
  const mistakes = [
    ...missing.map((name) => ({
      path: [name],
      expected: `this member with the kind '${kind}'`,
      received: undefined,
      fix: 'Add it.',
    })),
    ...unheeded.map((name) => ({
      path: [name],
      expected: `no such member with the kind '${kind}'`,
      received: request[name],
      fix: `Take it out: a fault of the kind '${kind}' takes ${own.join(' and ') || 'none of its own'}.`,
    })),
  ];
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

/** What a fault does, in words. */
export function doesInWords(fault: Complete): string {
  return KINDS[fault.kind].does(fault);
}
