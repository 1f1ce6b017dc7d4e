import { useState } from 'preact/hooks';
import { CallError } from '../connection/call.js';

export function useAction(onDone?: () => void) {
  const [isRunning, setRunning] = useState(false);
  const [errors, setErrors] = useState<readonly string[]>([]);
  const run = async (act: () => Promise<unknown>) => {
    const from = document.activeElement;
    setRunning(true);
    setErrors([]);
    try {
      await act();
      onDone?.();
    } catch (error) {
      setErrors(sentencesOf(error));
    }
    setRunning(false);
    requestAnimationFrame(() => keepFocus(from));
  };
  return { isRunning, errors, run };
}

/** Gives the focus back to a control that lost it while it was disabled. */
function keepFocus(control: Element | null): void {
  if (document.activeElement === document.body && control instanceof HTMLElement) control.focus();
}

function sentencesOf(error: unknown): string[] {
  const errors = error instanceof CallError ? (error.problem.errors ?? []) : [];
  const lines = errors.map(({ pointer, expected, received, detail }) => {
    const wanted = expected && `expected ${expected}`;
    const given = received !== undefined && `received ${JSON.stringify(received)}`;
    return [pointer, wanted, given, detail].filter(Boolean).join(' · ');
  });
  return lines.length > 0 ? lines : [(error as Error).message];
}

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
