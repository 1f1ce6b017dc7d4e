import { expectationOf } from '../billing/expectation.js';
import type { InvalidValue } from '../billing/problems.js';

/** A fault as the validator tells it; its `path` is such as `/query/limit` or `/body/refs/0`. */
export interface ValidatorFault {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** The parts of a request as they were received, before the validator changes types. */
export interface ReceivedValues {
  readonly query: unknown;
  readonly body: unknown;
}

/** Puts a fault that the validator found into the words of a problem. */
export function translateFault(
  { path, message, errorCode = '' }: ValidatorFault,
  received: ReceivedValues,
): InvalidValue {
  const [, part, ...names] = path.split('/');
  const place = part === 'body' ? 'body' : 'query';
  const value = names.reduce<unknown>(memberOf, received[place]);
  const isMissing = errorCode.startsWith('required.');
  const expected = isMissing ? 'this member' : expectationOf(message);
  return {
    in: place,
    pointer: ['', ...names].join('/'),
    expected,
    ...(value !== undefined && { received: value }),
    detail: isMissing ? 'Add it.' : `Make it ${expected}.`,
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
