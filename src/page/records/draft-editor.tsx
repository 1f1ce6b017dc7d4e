import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { JsonField } from '../parts/controls.js';
import { Detail } from '../parts/detail.js';
import { Errors } from '../parts/use-action.js';
import { useDocument } from '../reference/document.js';
import { SchemaList } from '../reference/schema-list.js';
import type { Collection } from './collections.js';

/** Texts that were typed and not saved, by account, collection and id: nothing but their owner drops them. */
const drafts = new Map<string, string>();

/** The text of a record as it is typed. */
interface Draft {
  /** What was typed; undefined if nothing was. */
  readonly typed: string | undefined;
  type(text: string | undefined): void;
}

/** The text of a record, kept until it is saved or discarded; that of a new one has an empty id. */
export function useDraft(account: string, path: string, id: string): Draft {
  const key = `${account} ${path} ${id}`;
  const [typed, setTyped] = useState(() => drafts.get(key));
  return {
    typed,
    type(text) {
      if (text === undefined) drafts.delete(key);
      else drafts.set(key, text);
      setTyped(text);
    },
  };
}

/** The value of a draft; says why there is none. */
export function parseDraft({ typed = '' }: Draft): unknown {
  try {
    return JSON.parse(typed);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
}

/** The collection whose record is edited. */
export interface EditorProps {
  readonly account: string;
  readonly path: string;
  readonly collection: Collection;
  readonly onClose: () => void;
}

interface DraftProps extends EditorProps {
  readonly label: string;
  readonly title: string;
  readonly hint?: string;
  readonly draft: Draft;
  /** What stands there before anything is typed; the editor waits for it. */
  readonly stored: object | undefined;
  readonly errors: readonly (string | undefined)[];
  /** What can be done with the record. */
  readonly children: ComponentChildren;
}

/** A record as JSON, above its schema. */
export function DraftEditor({ account, collection, draft, stored, ...props }: DraftProps) {
  const { value } = useDocument(account);
  const { schema } = collection;
  return (
    <Detail label={props.label} title={props.title} onClose={props.onClose}>
      {props.hint !== undefined && <p class="faint">{props.hint}</p>}
      <Errors sentences={props.errors} />
      {stored && (
        <>
          <JsonField
            label={schema}
            rows={18}
            value={draft.typed ?? JSON.stringify(stored, null, 2)}
            onType={draft.type}
          />
          {props.children}
        </>
      )}
      {value && (
        <details>
          <summary>Schema</summary>
          <SchemaList document={value} schema={{ $ref: `#/components/schemas/${schema}` }} />
        </details>
      )}
    </Detail>
  );
}
