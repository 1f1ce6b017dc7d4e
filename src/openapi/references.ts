import { valueAt } from '../errors/json-pointer.js';

interface Reference {
  readonly $ref: string;
}

/**
 * The value itself or, if it is a reference such as `#/components/schemas/Customer`, what the
 * document has there, through as many references as there are.
 */
export function followReference<Value>(
  value: Value,
  document: object,
): Exclude<Value, Reference> | undefined {
  if (!isReference(value)) return value as Exclude<Value, Reference>;
  return followReference(valueAt(document, value.$ref) as Value, document);
}

/** Whether the value is a reference to another part of the document. */
export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value;
}
