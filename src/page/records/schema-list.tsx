import { followReference, type OpenApiDocument } from '#spec';
import { Words } from '../parts/format.js';
import type { Schema } from './document.js';

interface SchemaProps {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
  /** How deeply it is nested in others; from `DEEPEST` on, members are left out. */
  readonly depth?: number;
}

const DEEPEST = 4;

export function SchemaList({ document, schema, depth = 0 }: SchemaProps) {
  const { description, properties = {}, required, ...whole } = resolve(document, schema);
  const members = Object.entries(properties);
  const item = 'items' in whole ? whole.items : undefined;
  return (
    <>
      {description !== undefined && (
        <p class="faint">
          <Words text={description} />
        </p>
      )}
      {members.length > 0 && depth < DEEPEST && (
        <ul class="schema">
          {members.map(([name, member]) => (
            <li key={name}>
              <code>{name}</code> <span class="type">{typeOf(document, member)}</span>
              {required?.includes(name) && <b> required</b>}
              <SchemaList document={document} schema={member} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
      {item && depth < DEEPEST && (
        <SchemaList document={document} schema={item} depth={depth + 1} />
      )}
    </>
  );
}

const resolve = (document: OpenApiDocument, schema: Schema) =>
  followReference(schema, document) ?? {};

function typeOf(document: OpenApiDocument, schema: Schema): string {
  const whole = resolve(document, schema);
  if ('items' in whole) return `list of ${typeOf(document, whole.items)}`;
  const { type, format, minimum, maximum, enum: values } = whole;
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const bounds = minimum === undefined ? '' : ` ${minimum}…${maximum}`;
  return `${format ?? type ?? 'any'}${bounds}`;
}
