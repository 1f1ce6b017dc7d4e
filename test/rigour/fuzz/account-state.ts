import type { Send } from '../server/call.js';
import { demand, refuseOtherTokens } from './check-response.js';

/** Everything that a test can see of an account except its requests. */
export type AccountState = Readonly<Record<string, unknown>>;

const PARTS = [
  ...['account', 'faults', 'stubs', 'stubs?for=account', 'snapshots', 'latency', 'decisions'],
  ...['clock', 'changes'],
];

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Reads the state of a token's account; opens the account if necessary. */
export async function readState(send: Send, token: string): Promise<AccountState> {
  const read = async (part: string) => {
    const call = { method: 'GET', path: `/__control/${part}`, headers: bearer(token) };
    const { status, failure, text } = await send(call);
    const isThere = status === 200 && failure === undefined;
    demand(isThere, `the ${part} of the account`, `${failure ?? status} ${text}`);
    return [part, JSON.parse(text)];
  };
  const state = Object.fromEntries(await Promise.all(PARTS.map(read)));
  // A running clock differs each time it is read.
  return state.clock.isFrozen ? state : { ...state, clock: { isFrozen: false } };
}

/** Throws if something has changed that should not. */
export function refuseChange(
  before: AccountState,
  after: AccountState,
  cause: string,
  mayChange = '',
): void {
  for (const part of PARTS.filter((one) => one !== mayChange)) {
    const [was, is] = [before, after].map((state) => JSON.stringify(state[part]));
    demand(was === is, `the ${part} as before ${cause}: ${was?.slice(0, 500)}`, is);
  }
}

/** An account that a case does not act on, with data that nobody else has. */
interface OtherAccount {
  readonly token: string;
  readonly id: string;
  readonly state: AccountState;
}

/** Records under the ids, names and references that cases ask for, each with the token in it. */
function stateWith(token: string): object {
  const name = `name-of-${token}`;
  const usage = { meterId: token, usageDate: { year: 1999, month: 1, day: 1 } };
  return {
    customers: [
      ...['c1', `record-of-${token}`].map((id) => ({ id, name })),
      { id: '65a000000000000000000001', name: 'Acme Corporation', customerErpId: token },
    ],
    contracts: ['k1', '65b000000000000000000001'].map((id) => ({ id, name, customerId: 'c1' })),
    measurements: ['m1', '65c000000000000000000001'].map((id) => ({ id, ...usage })),
    events: ['tps-report', 'acme-2026-03-31-001'].map((ref, nth) => ({
      id: `e${nth + 1}`,
      ref,
      name,
    })),
  };
}

/** What this account then reads, which would show a response that was cached for another. */
const READ = [
  ...['/customers/c1', '/customers/65a000000000000000000001', '/customers/name/Acme%20Corporation'],
  ...['/measurements', '/measurements?limit=2', '/__control/state', '/__control/customers'],
  ...['/__control/measurements', '/__control/contracts/k1', '/__control/events/e1'],
];

/** Opens such an account, with records and requests that contain its token. */
export async function openOther(send: Send, token: string): Promise<OtherAccount> {
  const headers = { ...bearer(token), 'Content-Type': 'application/json' };
  const body = JSON.stringify(stateWith(token));
  await send({ method: 'PUT', path: '/__control/state', headers, body });
  for (const path of [`/customers/record-of-${token}`, ...READ]) {
    const { status, text, failure } = await send({ method: 'GET', path, headers });
    const isOwn = status === 200 && text.includes(token);
    demand(isOwn, `the own data at ${path}`, failure ?? `${status} ${text}`);
    refuseOtherTokens(text, token);
  }
  const { text } = await send({ method: 'GET', path: '/__control/accounts?limit=1' });
  return { token, id: JSON.parse(text).accounts[0].id, state: await readState(send, token) };
}

/** Throws if the account shows data of the case, or has changed. */
export async function checkOther(
  send: Send,
  { token, state }: OtherAccount,
  mayDiffer: boolean,
): Promise<void> {
  const call = { method: 'GET', path: '/__control/state', headers: bearer(token) };
  refuseOtherTokens((await send(call)).text, token);
  // The server's stubs answer every account.
  if (!mayDiffer) refuseChange(state, await readState(send, token), 'calls of another', 'stubs');
}
