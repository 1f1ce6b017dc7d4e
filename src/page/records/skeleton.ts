import { type OpenApiDocument, resolve, type Schema } from '../reference/document.js';

/** What the mock sets itself. */
const OWN_MEMBERS = ['id', 'createdAt', 'updatedAt', 'deletedAt'];

/** A record to begin with: the members that its schema has, with values of their types. */
export function skeletonOf(document: OpenApiDocument, schema: string): object {
  const whole = resolve(document, { $ref: `#/components/schemas/${schema}` } as Schema);
  const { example, properties = {} } = whole;
  const members = Object.entries(properties).map(
    ([name, member]) => [name, startOf(document, member)] as const,
  );
  const record = Object(example ?? Object.fromEntries(members)) as Record<string, unknown>;
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
