import type { ListedAccount } from '../connection/account-list.js';
import { call, type Schemas } from '../connection/call.js';
import type { Mock } from '../connection/use-mock.js';
import type { Route } from '../parts/route.js';
import { useAction } from '../parts/use-action.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

/** How an account is answered at present. */
export type Facts = Awaited<ReturnType<typeof loadFacts>>;

/** The behaviour of an account, if there is one. */
export interface Behaviour extends Loaded<Facts> {
  readonly account: string | undefined;
}

/** What every view is given. */
export interface ViewProps {
  readonly mock: Mock;
  readonly behaviour: Behaviour;
  /** What the address names. */
  readonly route: Route;
}

/** What a view of one account is given. */
export interface AccountViewProps extends ViewProps {
  readonly account: ListedAccount;
}

/** A test may change it at any time. */
const LOOK_MS = 2_000;

/** Looks at the behaviour of an account now and then. */
export function useBehaviour(account: string | undefined): Behaviour {
  const load = account === undefined ? undefined : () => loadFacts(account);
  return { account, ...useLoaded(load, account ?? '', { everyMs: LOOK_MS }) };
}

async function loadFacts(account: string) {
  const [{ faults }, latency, clock, ...lists] = await Promise.all([
    call<Schemas['Faults']>('/faults', { account }),
    call<Schemas['Latency']>('/latency', { account }),
    call<Schemas['Clock']>('/clock', { account }),
    call<Schemas['Ledger']>('/ledger', { account }),
    call<Schemas['Snapshots']>('/snapshots', { account }),
    call<Schemas['Stubs']>('/stubs', { account }),
    call<Schemas['Scenarios']>('/scenarios', { account }),
  ]);
  const [{ decisions }, { snapshots }, { stubs }, { scenarios }] = lists;
  return { faults, latency, clock, decisions, snapshots, stubs, scenarios };
}

/** What every panel of the behaviour is given. */
export interface PanelProps {
  /** The public id of the account. */
  readonly account: string;
  readonly facts: Facts;
  readonly onChange: () => void;
}

/** Changes the account by a call of the control plane. */
export function useChange({ account, onChange }: Omit<PanelProps, 'facts'>) {
  const action = useAction(onChange);
  return {
    ...action,
    send: (method: string, path: string, body?: unknown) =>
      action.run(() => call(path, { method, account, body })),
  };
}
