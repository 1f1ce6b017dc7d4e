import { Finding, refuseOtherTokens } from './finding.js';
import { type AccountState, readState, refuseChange } from './state.js';
import type { Target } from './target.js';

/** An account that a case does not act on, with data that nobody else has. */
export interface OtherAccount {
  readonly token: string;
  readonly id: string;
  readonly state: AccountState;
}

const YEAR_BEFORE_ALL = { year: 1999, month: 1, day: 1 };

/** Records under the ids, names and references that cases ask for, each with the token in it. */
const recordsWith = (token: string): readonly (readonly [path: string, record: object])[] => [
  [`customers/record-of-${token}`, { name: `name-of-${token}` }],
  ['customers/c1', { name: `name-of-${token}` }],
  ['customers/65a000000000000000000001', { name: 'Acme Corporation', customerErpId: token }],
  ['contracts/k1', { customerId: 'c1', name: `contract-of-${token}` }],
  ['contracts/65b000000000000000000001', { customerId: 'c1', name: `contract-of-${token}` }],
  ['measurements/m1', { meterId: token, usageDate: YEAR_BEFORE_ALL, value: 1 }],
  // The first of the list of the control plane, and of that of the service.
  ['measurements/010a4713ba34057d08004fe6', { meterId: token }],
  ['measurements/65c000000000000000000001', { meterId: token, usageDate: YEAR_BEFORE_ALL }],
  ['events/e1', { ref: 'tps-report', name: `event-of-${token}` }],
  ['events/65d000000000000000000001', { ref: 'acme-2026-03-31-001', name: `event-of-${token}` }],
];

/** What it then reads, so that a response that is kept for others would be seen. */
const READ = [
  ...['/customers/c1', '/customers/65a000000000000000000001', '/customers/name/Acme%20Corporation'],
  ...['/measurements', '/measurements?limit=2', '/measurements?limit=10'],
  ...['customers', 'contracts', 'measurements', 'events'].map((name) => `/__control/${name}`),
  ...['customers/c1', 'contracts/k1', 'measurements/m1', 'events/e1'].map(
    (name) => `/__control/${name}`,
  ),
  '/__control/state',
  '/__control/requests',
];

/** Opens such an account, with records and requests that name it. */
export async function openOther(target: Target): Promise<OtherAccount> {
  const token = target.newToken();
  const bearer = { Authorization: `Bearer ${token}` };
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  const put = ([name, record]: readonly [string, object]) =>
    target.send({
      method: 'PUT',
      path: `/__control/${name}`,
      headers,
      body: JSON.stringify(record),
    });
  const read = (path: string) => target.send({ method: 'GET', path, headers: bearer });
  // A contract names a customer.
  for (const record of recordsWith(token)) await put(record);
  for (const path of [`/customers/record-of-${token}`, ...READ]) {
    const { status, text, failure } = await read(path);
    if (status !== 200 || !text.includes(markOf(token, path)))
      throw new Finding(`the own data of an account at ${path}`, failure ?? `${status} ${text}`);
    refuseOtherTokens(text, token);
  }
  const listed = await target.send({ method: 'GET', path: '/__control/accounts?limit=1' });
  const [{ id }] = JSON.parse(listed.text).accounts;
  return { token, id, state: await readState(target.send, token) };
}

/** What all that it reads has in it; the journal has its requests, but no token. */
function markOf(token: string, path: string): string {
  return path === '/__control/requests' ? 'record-of-[redacted]' : token;
}

/** Throws a `Finding` if it has data of the case, or is not as it was. */
export async function checkOther(
  target: Target,
  { token, state }: OtherAccount,
  wasTouched: boolean,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const all = await target.send({ method: 'GET', path: '/__control/state', headers });
  refuseOtherTokens(all.text, token);
  if (wasTouched) return;
  // Stubs of the server are for every account.
  refuseChange(state, await readState(target.send, token), 'calls of another', ['stubs']);
}
