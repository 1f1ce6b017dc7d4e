import type { Send } from '../server/call.js';
import { Finding } from './finding.js';

/** Everything that a test can see of an account, but its requests. */
export type AccountState = Readonly<Record<string, unknown>>;

const PARTS = [
  'account',
  'faults',
  'stubs',
  'stubs?for=account',
  'snapshots',
  'latency',
  'decisions',
  'clock',
  'changes',
];

/** Reads the state of the account of a token, which it opens if that is not open. */
export async function readState(send: Send, token: string): Promise<AccountState> {
  const read = async (part: string) => {
    const response = await send({
      method: 'GET',
      path: `/__control/${part}`,
      headers: { Authorization: `Bearer ${token}` },
    });
    if (response.status === 200 && response.failure === undefined)
      return [part, JSON.parse(response.text)];
    throw new Finding(
      `the ${part} of the account`,
      `${response.failure ?? response.status} ${response.text}`,
    );
  };
  const state = Object.fromEntries(await Promise.all(PARTS.map(read)));
  // A running clock goes on between two looks.
  return state.clock.isFrozen ? state : { ...state, clock: { isFrozen: false } };
}

/** Throws a `Finding` if something has changed that was not to change. */
export function refuseChange(
  before: AccountState,
  after: AccountState,
  cause: string,
  mayChange: readonly string[] = [],
): void {
  for (const part of PARTS.filter((one) => !mayChange.includes(one))) {
    const [was, is] = [before, after].map((state) => JSON.stringify(state[part]));
    if (was === is) continue;
    throw new Finding(
      `the ${part} as before ${cause}`,
      `before: ${was?.slice(0, 500)}\nafter: ${is?.slice(0, 500)}`,
    );
  }
}

/** The value of a decision in a state. */
export function decisionIn(state: AccountState, id: string): string {
  return String(Object(state.decisions)[id]);
}

/** The faults that a state has. */
export function faultsIn(
  state: AccountState,
): readonly { readonly kind: string; readonly status?: number }[] {
  return Object(state.faults).faults ?? [];
}

/** The stubs that a state has, those of the server too. */
export function stubsIn(state: AccountState): readonly { readonly status: number }[] {
  return Object(state.stubs).stubs ?? [];
}
