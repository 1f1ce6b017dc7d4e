import { useState } from 'preact/hooks';
import { type DraftOf, draftOf, keepDraft } from './drafts.js';

/** The text of a record as it is typed. */
export interface RecordText {
  /** What was typed; undefined if nothing was. */
  readonly typed: string | undefined;
  type(text: string | undefined): void;
}

/** The text of a record, kept until it is saved or discarded. */
export function useRecordText(place: DraftOf): RecordText {
  const [typed, setTyped] = useState(() => draftOf(place));
  return {
    typed,
    type(text) {
      keepDraft(place, text);
      setTyped(text);
    },
  };
}

interface TextProps {
  readonly label: string;
  readonly text: RecordText;
  /** What stands there before anything is typed. */
  readonly stored: object;
}

/** Where a record is edited as JSON. */
export function RecordTextArea({ label, text, stored }: TextProps) {
  return (
    <label>
      {label}
      <textarea
        rows={18}
        spellcheck={false}
        value={text.typed ?? JSON.stringify(stored, null, 2)}
        onInput={({ currentTarget }) => text.type(currentTarget.value)}
      />
    </label>
  );
}

/** The value of the text; says why there is none. */
export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
}
