import type { OperationId } from '../billing/operation.js';
import { type Exchange, isRefusal, isSuccess } from './exchange.js';
import type { Seen } from './observation.js';

/**
 * The calls of an operation with the account's own token, as far as is known, that were answered.
 * One with query parameters counts only if it succeeded: they may be what was refused.
 */
export function callsOf(
  { exchanges }: Pick<Seen, 'exchanges'>,
  operationId: OperationId,
): readonly Exchange[] {
  return exchanges.filter((exchange) => {
    const { call } = exchange;
    const isAnswered = isSuccess(exchange) || (isRefusal(exchange) && call.query.length === 0);
    return call.operationId === operationId && isOfAccount(exchange) && isAnswered;
  });
}

/** True if the call had the token of the account, as far as is known. */
export function isOfAccount({ call }: Exchange): boolean {
  return call.token === 'given' || call.token === 'unknown';
}

const NOT_FOUND = [400, 404, 422];

/** True if the call was refused with a status that a service may have for what it does not find. */
export function isNotFound({ answer }: Exchange): boolean {
  return NOT_FOUND.includes(answer.status);
}

/** True for text that a service or a proxy before it may refuse in a path, known or not. */
export function isOddInPath(text: string): boolean {
  return /[/\\%?#;\p{Cc}]|^\.*$|^\s|\s$/u.test(text);
}

/** An identifier as text: some services have numbers. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** An instant in milliseconds since 1970; undefined for what is not a timestamp. */
export function instantOf(value: unknown): number | undefined {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
