import { useState } from 'preact/hooks';
import { adviceOnRule } from '../../core/values/mistake.js';
import { CallError } from '../connection/call.js';

/** What is wrong, and with which value: `pointer` leads to it in what was to be sent. */
export interface Mistake {
  readonly pointer?: string | undefined;
  readonly words: string;
}

/** Values that are wrong before they are sent. */
export class MistakenError extends Error {
  constructor(readonly mistakes: readonly Mistake[]) {
    super(mistakes.map(inWords).join(' '));
  }
}

export function inWords({ pointer, words }: Mistake): string {
  return pointer ? `${pointer}: ${words}` : words;
}

const NONE: readonly Mistake[] = [];
/** When to say that an action has had no response yet. */
const LATE_MS = 5_000;
const LATE: readonly Mistake[] = [
  { words: `The mock has not responded for ${LATE_MS / 1_000} s. This page is still waiting.` },
];

export function useAction(onDone?: () => void) {
  const [isRunning, setRunning] = useState(false);
  const [mistakes, setMistakes] = useState(NONE);
  const run = async (act: () => Promise<unknown>) => {
    const from = document.activeElement;
    setRunning(true);
    setMistakes(NONE);
    const late = setTimeout(() => setMistakes(LATE), LATE_MS);
    try {
      await act();
      setMistakes(NONE);
      onDone?.();
    } catch (error) {
      setMistakes(mistakesOf(error));
    }
    clearTimeout(late);
    setRunning(false);
    requestAnimationFrame(() => keepFocus(from));
  };
  return { isRunning, mistakes, errors: mistakes.map(inWords), run };
}

/** Gives the focus back to a control that lost it while it was disabled. */
function keepFocus(control: Element | null): void {
  if (document.activeElement === document.body && control instanceof HTMLElement) control.focus();
}

function mistakesOf(error: unknown): readonly Mistake[] {
  if (error instanceof MistakenError) return error.mistakes;
  const listed = error instanceof CallError ? mistakesIn(error.problem) : [];
  return listed.length > 0 ? listed : [{ words: (error as Error).message }];
}

/** What a problem lists as wrong, value by value. */
function mistakesIn({ errors = [] }: CallError['problem']): readonly Mistake[] {
  return errors.map(({ pointer, expected, received, detail }) => {
    const given = received === undefined ? '' : `; received ${JSON.stringify(received)}`;
    const advice = detail === adviceOnRule(expected) ? '' : ` ${detail}`;
    return { pointer, words: `expected ${expected}${given}.${advice}` };
  });
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
