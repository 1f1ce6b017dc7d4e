import { useState } from 'preact/hooks';
import { CallError } from '../connection/call.js';

/** Something that a person does, and how it ended. */
export interface Action {
  readonly isRunning: boolean;
  /** Why the last one was refused, one sentence a line. */
  readonly errors: readonly string[];
  run(act: () => Promise<unknown>): Promise<void>;
}

/** Runs what a person does, one at a time, and keeps why it was refused. */
export function useAction(onDone?: () => void): Action {
  const [isRunning, setRunning] = useState(false);
  const [errors, setErrors] = useState<readonly string[]>([]);
  return {
    isRunning,
    errors,
    async run(act) {
      setRunning(true);
      setErrors([]);
      try {
        await act();
        onDone?.();
      } catch (error) {
        setErrors(sentencesOf(error));
      }
      setRunning(false);
    },
  };
}

function sentencesOf(error: unknown): string[] {
  const errors = error instanceof CallError ? (error.problem.errors ?? []) : [];
  const lines = errors.map(({ pointer, expected, received, detail }) =>
    [
      pointer,
      expected && `expected ${expected}`,
      received !== undefined && `received ${JSON.stringify(received)}`,
      detail,
    ]
      .filter(Boolean)
      .join(' · '),
  );
  return lines.length > 0 ? lines : [(error as Error).message];
}

/** Says why something was refused. */
export function Errors({ sentences }: { readonly sentences: readonly (string | undefined)[] }) {
  const shown = sentences.filter((sentence) => sentence !== undefined);
  return (
    <div role="alert">
      {shown.map((sentence) => (
        <p key={sentence} class="error">
          {sentence}
        </p>
      ))}
    </div>
  );
}
