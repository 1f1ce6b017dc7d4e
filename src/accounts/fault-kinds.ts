import { InvalidInputError } from '../errors/invalid-input.js';
import type { components } from '../generated/control.js';

type Complete = components['schemas']['FaultRequest'];
type Kind = Pick<Complete, 'kind'>;

/** The members that only some kinds have. */
const OWN_MEMBERS = ['status', 'retryAfterS', 'delayMs'] as const;

interface KindRow {
  /** In words. */
  readonly does: (fault: Complete) => string;
  /** The member that it requires. */
  readonly needs?: (typeof OWN_MEMBERS)[number];
  /** Those of these members that it accepts as well. */
  readonly accepts?: readonly (typeof OWN_MEMBERS)[number][];
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
  'malformed-json': { does: () => 'Answers with JSON that does not end' },
  truncated: { does: () => 'Closes the connection half-way through the body' },
  slow: { does: ({ delayMs }) => `Sends the body over ${delayMs} ms`, needs: 'delayMs' },
};

/** Refuses a fault without the member that its kind requires, or with one that it would ignore. */
export function refuseOddMembers(request: Kind & Partial<Complete>): void {
  const { kind } = request;
  const { needs, accepts = [] } = KINDS[kind];
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
  ];
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

/** What a fault does, in words. */
export function doesInWords(fault: Complete): string {
  return KINDS[fault.kind].does(fault);
}
