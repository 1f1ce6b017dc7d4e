import type { RequestHandler } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { type InvalidValue, ProblemError } from '../billing/problems.js';
import { shown } from '../billing/shown.js';
import { checkPath } from './check-path.js';
import { checkQuery, clampQuery } from './check-query.js';
import { exchangeOf } from './exchange.js';
import { pathOf } from './match-operation.js';
import { translateFault, type ValidatorFault } from './translate-fault.js';

const MOST_ERRORS = 20;

/** Validates the request against the document and refuses it with every fault at once. */
export function validateRequest(validator: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { route } = exchangeOf(response);
    if (!route) return next();
    const received = { query: { ...request.query }, body: request.body };
    const faults = checkQuery(route.operation, received.query);
    const malformed = checkPath(route.template, pathOf(request));
    if (malformed.length > 0) return next(refuse([...malformed, ...faults]));
    // Express makes the query anew whenever it is read; from here on it is this object.
    const query = clampQuery(route.operation, received.query);
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
    validator(request, response, (error?: unknown) => {
      if (error !== undefined && !(error instanceof validatorErrors.BadRequest)) return next(error);
      const found = (error?.errors ?? []) as readonly ValidatorFault[];
      const others = found.map((fault) => translateFault(fault, received));
      const invalid = [...faults, ...others.filter((other) => !faults.some(isSamePlace(other)))];
      next(invalid.length > 0 ? refuse(invalid) : undefined);
    });
  };
}

function isSamePlace(one: InvalidValue): (other: InvalidValue) => boolean {
  return (other) => other.in === one.in && other.pointer === one.pointer;
}

function refuse(faults: readonly InvalidValue[]): ProblemError {
  const errors = faults.slice(0, MOST_ERRORS).map(shorten);
  const sentences = errors.map(
    (fault) =>
      `${fault.in} ${fault.pointer || '(the whole)'}: expected ${fault.expected}, received ${shown(fault.received)}`,
  );
  const count = faults.length === 1 ? '1 value breaks' : `${faults.length} values break`;
  const rest = faults.length > MOST_ERRORS ? ` The first ${MOST_ERRORS} are listed.` : '';
  return new ProblemError(
    'invalid-request',
    `${count} the document: ${sentences.join('; ')}.${rest}`,
    { decision: 'invalid-request-status', errors },
  );
}

/** A long value is shown as its beginning, so that an error never outgrows what caused it. */
function shorten(fault: InvalidValue): InvalidValue {
  const text = shown(fault.received);
  return text.endsWith('…') ? { ...fault, received: text } : fault;
}
