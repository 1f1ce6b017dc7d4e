import { Words } from '../parts/format.js';
import { type OpenApiDocument, resolve, type Schema } from './document.js';

interface SchemaProps {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
  /** How deeply it is nested in others; from `DEEPEST` on, members are left out. */
  readonly depth?: number;
}

const DEEPEST = 4;

export function SchemaList({ document, schema, depth = 0 }: SchemaProps) {
  const whole = resolve(document, schema);
  const members = Object.entries(whole.properties ?? {});
  const item = whole.items;
  return (
    <>
      {whole.description !== undefined && (
        <p class="faint">
          <Words text={whole.description} />
        </p>
      )}
      {members.length > 0 && depth < DEEPEST && (
        <ul class="schema">
          {members.map(([name, member]) => (
            <li key={name}>
              <code>{name}</code> <span class="type">{typeOf(document, member)}</span>
              {whole.required?.includes(name) && <b> required</b>}
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

export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const { type, format, items, minimum, maximum, enum: values } = resolve(document, schema);
  if (items) return `list of ${typeOf(document, items)}`;
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const bounds = minimum === undefined ? '' : ` ${minimum}…${maximum}`;
  return `${format ?? type ?? 'any'}${bounds}`;
}
