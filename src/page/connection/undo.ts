import { keep, readKept } from '../parts/controls.js';
import { type Call, CallError, call } from './call.js';
import type { StreamedRequest } from './request-log.js';

/** A call that changes an account. */
type Change = Call & { readonly path: string };

/** What was done to an account, and what undoes it. */
export interface Done {
  readonly account: string;
  readonly words: string;
  readonly undo?: Change;
  /** The snapshot that undoes it, and the number of the last request before it; none if only a record is put back. */
  readonly snapshot?: { readonly id: string; readonly after: number };
  /** Why it cannot be undone. */
  readonly reason?: string;
}

const DONE = 'done last';

/** Does what a person may want to undo, and what was done last. */
export class Undo {
  done = readKept<Done | undefined>(DONE, undefined);
  readonly #show: () => void;

  constructor(show: () => void) {
    this.#show = show;
  }

  /** Changes a whole account; `after` is the number of its last request. */
  async change(words: string, account: string, change: Change, after: number): Promise<void> {
    // No other tab has it, nor what this one has done last.
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

  /** Shows what was done, in place of what was done before. */
  note(done: Done | undefined): void {
    void drop(this.done);
    this.done = done;
    keep(DONE, done);
    this.#show();
  }

  /** Undoes what was done last. */
  async undo(): Promise<void> {
    const { account, words, undo } = this.done ?? {};
    if (account === undefined || !undo) return;
    await call(undo.path, { account, ...undo });
    this.note({ account, words: `Undone: ${words}` });
  }
}

const NO_ROOM = 'This cannot be undone: the mock had no room to keep what was there before.';

/** True for a refusal for want of room; throws every other error. */
function isForRoom(error: unknown): boolean {
  if (error instanceof CallError && error.status === 409) return true;
  throw error;
}

/** Drops the snapshot of what was done; it may be gone with its account. */
async function drop(done: Pick<Done, 'account' | 'snapshot'> | undefined): Promise<void> {
  if (!done?.snapshot) return;
  const { account, snapshot } = done;
  await call(`/snapshots/${snapshot.id}`, { method: 'DELETE', account }).catch(() => undefined);
}

/** How many successful deletes came after a request, as far as they are known. */
export function deletesSince(
  after: number,
  received: number,
  requests: readonly StreamedRequest[],
): string {
  const since = requests.filter(({ id }) => id > after);
  const deletes = since.filter(
    ({ method, operationId, status = 0 }) =>
      operationId !== undefined && method !== 'GET' && status >= 200 && status < 300,
  ).length;
  const bound = since.length < received - after ? 'at least ' : '';
  return `${bound}${deletes} successful delete${deletes === 1 ? '' : 's'}`;
}
