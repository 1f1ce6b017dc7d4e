import { call } from '../connection/call.js';
import { Button } from '../parts/controls.js';
import { useAction } from '../parts/use-action.js';
import { type OpenApiDocument, resolve, type Schema, useDocument } from '../reference/document.js';
import type { AnyRecord } from './collections.js';
import { DraftEditor, type EditorProps, parseDraft, useDraft } from './draft-editor.js';

interface NewProps extends EditorProps {
  readonly onAdd: (id: string) => void;
}

/** A record to be added, which begins with the members of its schema. */
export function NewRecord({ onAdd, ...editor }: NewProps) {
  const { account, path, collection } = editor;
  const { value, error } = useDocument(account);
  const draft = useDraft(account, path, '');
  const action = useAction();
  const skeleton = value && skeletonOf(value, collection.schema);
  const add = async () => {
    const body = draft.typed === undefined ? skeleton : parseDraft(draft);
    const { id } = await call<AnyRecord>(`/${path}`, { method: 'POST', account, body });
    draft.type(undefined);
    onAdd(id);
  };
  return (
    <DraftEditor
      {...editor}
      label="New record"
      title={`New: ${collection.schema}`}
      hint="Without an id it is given one."
      draft={draft}
      stored={skeleton}
      errors={[error, ...action.errors]}
    >
      <p>
        <Button disabled={action.isRunning} onClick={() => action.run(add)}>
          Add
        </Button>
      </p>
    </DraftEditor>
  );
}

/** What the mock sets itself. */
const OWN_MEMBERS = ['id', 'createdAt', 'updatedAt', 'deletedAt'];

/** A record to begin with: the members that its schema has, with values of their types. */
function skeletonOf(document: OpenApiDocument, schema: string): object {
  const record = Object(startOf(document, { $ref: `#/components/schemas/${schema}` }));
  return Object.fromEntries(Object.entries(record).filter(([name]) => !OWN_MEMBERS.includes(name)));
}

const BY_TYPE: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
};

function startOf(document: OpenApiDocument, member: Schema): unknown {
  const { example, enum: values, type = '', properties = {} } = resolve(document, member);
  if (example !== undefined) return example;
  if (values) return values[0];
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type];
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, startOf(document, one)]),
  );
}
