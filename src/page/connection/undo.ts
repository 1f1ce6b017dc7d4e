import { clockTime, count } from '../parts/format.js';
import { keep, readKept } from '../parts/use-kept.js';
import { find, type ListedAccount } from './account-list.js';
import { type Call, CallError, call, type Schemas } from './call.js';
import type { StreamedRequest } from './request-log.js';

type Change = Call & { readonly path: string };

/** An action on an account, and how to undo it. */
export interface Done {
  readonly account: string;
  readonly words: string;
  readonly undo?: Change;
  /** If undoing restores a snapshot: its id, and the number of the last request before it. */
  readonly snapshot?: { readonly id: string; readonly after: number };
  /** Why it cannot be undone. */
  readonly reason?: string;
  /** When its account was last reset before the action, because its dataset changed. */
  readonly reloadedAt?: string | undefined;
}

const DONE = 'done last';

/** Performs actions, and remembers the last one and how to undo it. */
export class Undo {
  done = readKept<Done | undefined>(DONE, undefined);
  readonly #show: () => void;
  /** When each account that was in view had been reset last. */
  readonly #reloads = new Map<string, string | undefined>();

  constructor(show: () => void) {
    this.#show = show;
  }

  /** Says that the account in view was reset because its dataset changed, if that is news. */
  noteAccount({ id, name, reloadedAt }: ListedAccount): void {
    const isNews = this.#reloads.has(id) && this.#reloads.get(id) !== reloadedAt;
    this.#reloads.set(id, reloadedAt);
    if (!isNews || reloadedAt === undefined) return;
    const at = clockTime(new Date(reloadedAt));
    const words = `${name} was reset at ${at}, because its dataset changed.`;
    this.note({ account: id, words });
  }

  /** Forgets the last action if it can no longer be undone: its account was reset or is gone. */
  async check(): Promise<void> {
    const { done } = this;
    if (!done?.undo) return;
    const account = await find(done.account);
    const isOpen = account && account.closedAt === undefined;
    if (isOpen && account.reloadedAt === done.reloadedAt) return;
    if (this.done === done) this.note(undefined);
  }

  /**
   * Changes a whole account, after taking a snapshot to undo it with, if the mock has room for one.
   * `after` is the number of the latest request.
   */
  async change(words: string, account: string, change: Change, after: number): Promise<void> {
    // Different from the ids of other tabs, and of this tab's last action.
    const id = `page-undo-${Math.random().toString(36).slice(2, 12)}`;
    const snapshot = { method: 'POST', body: { id } };
    const isTaken = await call('/snapshots', { account, ...snapshot }).then(
      () => true,
      (error) => !isForRoom(error),
    );
    try {
      await call(change.path, { account, ...change });
    } catch (error) {
      if (isTaken) await drop({ account, snapshot: { id, after } });
      if (!isTaken || !isForRoom(error)) throw error;
      await call(change.path, { account, ...change });
      return this.note({ account, words, reason: NO_ROOM });
    }
    const undo = { method: 'POST', path: `/snapshots/${id}/restore` };
    this.note({
      account,
      words,
      ...(isTaken ? { undo, snapshot: { id, after } } : { reason: NO_ROOM }),
    });
  }

  /** Puts back what a request, and all that ran after it, have deleted. */
  async rewind(account: string, name: string, id: string): Promise<void> {
    const rewind = { method: 'POST', account };
    const { count } = await call<Schemas['Count']>(`/requests/${id}/rewind`, rewind);
    const words = `The records of ${name} went back to before request ${id}; requests undone: ${count}.`;
    this.note({ account, words });
  }

  /** Shows an action in place of the last one, which can no longer be undone. */
  note(done: Done | undefined): void {
    void drop(this.done);
    this.done = done && { ...done, reloadedAt: this.#reloads.get(done.account) };
    keep(DONE, this.done);
    this.#show();
  }

  async undo(): Promise<void> {
    const { account, words, undo } = this.done ?? {};
    if (account === undefined || !undo) return;
    await call(undo.path, { account, ...undo });
    this.note({ account, words: `Undone: ${words}` });
  }
}

const NO_ROOM = 'This cannot be undone: the mock had no room to keep what was there before.';

/** True if the mock refused for lack of room; throws any other error. */
function isForRoom(error: unknown): boolean {
  if (error instanceof CallError && error.status === 409) return true;
  throw error;
}

/** Drops the snapshot of an action, which may already be gone with its account. */
async function drop(done: Pick<Done, 'account' | 'snapshot'> | undefined): Promise<void> {
  if (!done?.snapshot) return;
  const { account, snapshot } = done;
  await call(`/snapshots/${snapshot.id}`, { method: 'DELETE', account }).catch(() => undefined);
}

/** Says how many deletes succeeded after a request, as far as the page knows; newest first. */
export function deletesSince(before: number, requests: readonly StreamedRequest[]): string {
  const [{ id: received } = { id: 0 }] = requests;
  // A journal that was reset numbers its requests from 1 again.
  const after = received < before ? 0 : before;
  const since = requests.filter(({ id }) => id > after);
  const deletes = since.filter(({ deleted }) => deleted !== undefined).length;
  const bound = since.length < received - after ? 'at least ' : '';
  return `${bound}${deletes} successful delete${deletes === 1 ? '' : 's'}`;
}

/** The requests that going back to before one of them would undo, in the order in which they ran. */
export function undoneBy(
  { place: from }: StreamedRequest,
  requests: readonly StreamedRequest[],
): readonly StreamedRequest[] {
  return requests
    .filter(({ place, deleted }) => place >= from && deleted !== undefined)
    .sort((one, other) => one.place - other.place);
}

/** What undoing these requests would do. */
export function rewindWords(undone: readonly StreamedRequest[]): string {
  if (undone.length === 0)
    return 'Of the requests that are kept, neither it nor one that ran later has deleted anything that is left to undo.';
  const records = undone.reduce((sum, { deleted = 0 }) => sum + deleted, 0);
  const ids = undone.slice(0, 5).map((one) => one.id);
  const named = [...ids, ...(undone.length > ids.length ? ['…'] : [])].join(', ');
  const which = undone.length === 1 ? `request ${named}` : `${undone.length} requests (${named})`;
  return `Puts back ${count(records, 'record')} deleted by ${which}. Everything else stays.`;
}
