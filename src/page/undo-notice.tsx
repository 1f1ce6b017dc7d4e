import { deletesSince } from './connection/undo.js';
import type { Mock } from './connection/use-mock.js';
import { Button } from './parts/controls.js';
import { Errors, useAction } from './parts/use-action.js';

interface NoticeProps {
  readonly mock: Mock;
  /** Called after an undo. */
  readonly onChange: () => void;
}

export function UndoNotice({ mock: { undo, accounts, log }, onChange }: NoticeProps) {
  const action = useAction(onChange);
  const { account } = accounts;
  // An action that can be undone is shown whatever account is in view; any other, only in its own.
  const isNews = undo.done?.undo !== undefined || undo.done?.account === account?.id;
  const done = isNews ? undo.done : undefined;
  const isKnown = done !== undefined && log.readingOf(done.account) === 'loaded';
  return (
    <div role="status">
      {done && (
        <div class="note done bar">
          <span>
            {done.words} {done.reason}
          </span>
          {done.undo && (
            <Button disabled={action.isRunning} onClick={() => action.run(() => undo.undo())}>
              Undo
            </Button>
          )}
          {done.snapshot && (
            <span>
              Undo also reverts everything that has changed since, including changes made through
              the control plane.
              {isKnown &&
                ` Since then: ${deletesSince(done.snapshot.after, log.list(done.account))}.`}
            </span>
          )}
          <Button aria-label="Close this notice" onClick={() => undo.note(undefined)}>
            ×
          </Button>
          <Errors sentences={action.errors} />
        </div>
      )}
    </div>
  );
}
