import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import { useLoaded } from '../parts/use-loaded.js';

type Schemas = components['schemas'];

/** How an account is answered at present. */
export interface Facts {
  readonly faults: Schemas['Faults']['faults'];
  readonly latency: Schemas['Latency'];
  readonly clock: Schemas['Clock'];
  readonly decisions: Schemas['Ledger']['decisions'];
}

/** The situation of an account. */
export interface Situation {
  readonly account: string | undefined;
  readonly facts: Facts | undefined;
  readonly error: string | undefined;
  reload(): void;
}

/** A test may change it at any time. */
const LOOK_MS = 2_000;

/** Looks at the situation of an account now and then. */
export function useSituation(account: string | undefined): Situation {
  const load = account === undefined ? undefined : () => loadFacts(account);
  const { value, error, reload } = useLoaded(load, account ?? '', LOOK_MS);
  return { account, facts: value, error, reload };
}

async function loadFacts(account: string): Promise<Facts> {
  const [{ faults }, latency, clock, { decisions }] = await Promise.all([
    call<Schemas['Faults']>('/faults', { account }),
    call<Schemas['Latency']>('/latency', { account }),
    call<Schemas['Clock']>('/clock', { account }),
    call<Schemas['Ledger']>('/ledger', { account }),
  ]);
  return { faults, latency, clock, decisions };
}
