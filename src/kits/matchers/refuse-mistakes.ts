import type { JournalRequest } from '../../accounts/journal/journal-request.js';
import type { OperationId } from '../../billing/operation.js';
import { PARAMETERS } from '../../generated/parameters.js';
import { didYouMean } from '../../messages/nearest-name.js';
import { shown } from '../../messages/received-value.js';

/** Throws for a promise, which `expect` cannot look into. */
export function refusePromise(received: unknown): void {
  if (typeof (received as { then?: unknown } | undefined | null)?.then !== 'function') return;
  throw new TypeError('expect() was given a promise; await it: expect(await …).');
}

/** Throws for an operation that the document does not have: no request could ever call it. */
export function refuseUnknownOperation(operationId: string): asserts operationId is OperationId {
  if (Object.hasOwn(PARAMETERS, operationId)) return;
  const known = Object.keys(PARAMETERS);
  throw new TypeError(
    sentences(
      `Unknown operation '${operationId}'; expected one of ${known.join(', ')}.`,
      didYouMean(operationId, known),
    ),
  );
}

/**
 * Throws for a parameter that neither the document nor any of the calls has: a typing error must
 * not pass as a call that was never made.
 */
export function refuseUnknownParameters(
  operationId: OperationId,
  parameters: unknown,
  calls: readonly object[],
): void {
  const known: readonly string[] = PARAMETERS[operationId];
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new TypeError(
      `The parameters are ${shown(parameters)}; expected an object such as { ${known[0]}: … }.`,
    );
  }
  const isKnown = (name: string) =>
    known.includes(name) || calls.some((call) => Object.hasOwn(call, name));
  const unknown = Object.keys(parameters).find((name) => !isKnown(name));
  if (unknown === undefined) return;
  throw new TypeError(
    sentences(
      `${operationId} has no parameter '${unknown}'; expected ${known.join(', ')}.`,
      didYouMean(unknown, known),
    ),
  );
}

/** Throws where the journal keeps only the length and hash of a body, which cannot be matched. */
export function refuseHiddenBodies(requests: readonly JournalRequest[]): void {
  for (const { id, body } of requests) {
    if (typeof body !== 'object' || body === null || !('bytes' in body && 'hash' in body)) continue;
    throw new TypeError(
      `Request ${id} has a body of ${body.bytes} bytes, of which the journal keeps only the hash; expected shorter ones. Match without parameters, or look at journal.list().`,
    );
  }
}

/** Throws for a number of times that is not a count. */
export function refuseOddTimes(times: unknown): void {
  if (Number.isInteger(times) && Number(times) >= 0) return;
  throw new TypeError(
    `The number of times is ${shown(times)}; expected a whole number, at least 0.`,
  );
}

function sentences(...some: readonly (string | undefined)[]): string {
  return some.filter((sentence) => sentence !== undefined).join(' ');
}
