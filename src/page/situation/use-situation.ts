import { call, type Schemas } from '../connection/call.js';
import { type Action, useAction } from '../parts/use-action.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

/** How an account is answered at present. */
export interface Facts {
  readonly faults: Schemas['Faults']['faults'];
  readonly latency: Schemas['Latency'];
  readonly clock: Schemas['Clock'];
  readonly decisions: Schemas['Ledger']['decisions'];
}

/** The situation of an account, if there is one. */
export interface Situation extends Loaded<Facts> {
  readonly account: string | undefined;
}

/** A test may change it at any time. */
const LOOK_MS = 2_000;

/** Looks at the situation of an account now and then. */
export function useSituation(account: string | undefined): Situation {
  const load = account === undefined ? undefined : () => loadFacts(account);
  return { account, ...useLoaded(load, account ?? '', { everyMs: LOOK_MS }) };
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

/** What every panel of the situation is given. */
export interface PanelProps {
  /** The public id of the account. */
  readonly account: string;
  readonly facts: Facts;
  readonly onChange: () => void;
}

interface Change extends Action {
  /** Changes the account by a call of the control plane. */
  send(method: string, path: string, body?: unknown): Promise<void>;
}

/** What a person changes in an account. */
export function useChange({ account, onChange }: Omit<PanelProps, 'facts'>): Change {
  const action = useAction(onChange);
  return {
    ...action,
    send: (method, path, body) => action.run(() => call(path, { method, account, body })),
  };
}
