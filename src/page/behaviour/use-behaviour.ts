import type { ListedAccount } from '../connection/account-list.js';
import { call, type Schemas } from '../connection/call.js';
import type { Mock } from '../connection/use-mock.js';
import type { Route } from '../parts/route.js';
import { useAction } from '../parts/use-action.js';
import { type Loaded, useLoaded } from '../parts/use-loaded.js';

/** The current settings of an account. */
export type Facts = Awaited<ReturnType<typeof loadFacts>>;

/** The account in view, if any, and its settings. */
export interface Behaviour extends Loaded<Facts> {
  readonly account: string | undefined;
}

export interface ViewProps {
  readonly mock: Mock;
  readonly behaviour: Behaviour;
  readonly route: Route;
}

export interface AccountViewProps extends ViewProps {
  readonly account: ListedAccount;
}

export function useBehaviour(account: string | undefined): Behaviour {
  const load = account === undefined ? undefined : () => loadFacts(account);
  return { account, ...useLoaded(load, account ?? '', { reloads: true }) };
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

export interface PanelProps {
  /** The public id of the account. */
  readonly account: string;
  readonly facts: Facts;
  readonly onChange: () => void;
}

/** Changes the whole account, with an Undo; `words` precede the account's name in the notice. */
export type ChangeAll = (
  words: string,
  method: string,
  path: string,
  body?: unknown,
) => Promise<void>;

/** The props of a panel that changes the whole account. */
export interface ChangeAllProps extends PanelProps {
  readonly changeAll: ChangeAll;
}

export function useChange({ account, onChange }: Omit<PanelProps, 'facts'>) {
  const action = useAction(onChange);
  const callIt = (method: string, path: string, body?: unknown) =>
    call(path, { method, account, body });
  return {
    ...action,
    /** For a form, which says what is wrong. */
    call: callIt,
    send: (...change: Parameters<typeof callIt>) => action.run(() => callIt(...change)),
  };
}
