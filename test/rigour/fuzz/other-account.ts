import { type AccountState, readState, refuseChange } from './state.js';
import type { Target } from './target.js';
import { refuseOtherTokens } from './tokens.js';

/** An account that a case does not act on, with data that nobody else has. */
export interface OtherAccount {
  readonly token: string;
  readonly id: string;
  readonly state: AccountState;
}

/** What it reads of itself, so that an answer that is kept for others would be seen. */
const READ = ['customers', 'contracts', 'measurements', 'events', 'state', 'requests'];

/** Opens such an account, with a record and a request that name it. */
export async function openOther(target: Target): Promise<OtherAccount> {
  const token = target.newToken();
  const bearer = { Authorization: `Bearer ${token}` };
  await target.send({
    method: 'POST',
    path: '/__control/customers',
    headers: { ...bearer, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: `record-of-${token}`, name: `name-of-${token}` }),
  });
  await target.send({ method: 'GET', path: `/customers/record-of-${token}`, headers: bearer });
  for (const path of READ) {
    await target.send({ method: 'GET', path: `/__control/${path}`, headers: bearer });
  }
  const listed = await target.send({ method: 'GET', path: '/__control/accounts?limit=1' });
  const [{ id }] = JSON.parse(listed.text).accounts;
  return { token, id, state: await readState(target.send, token) };
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
