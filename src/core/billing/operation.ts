import type { operations } from '../../generated/openapi.js';
import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import type { DecisionId } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problem-error.js';
import type { ProblemName } from '../errors/problem-types.js';
import type { AccountStore } from './account-store.js';
import { RESOURCE_NAMES, type ResourceName } from './resources.js';

/**
 * The id of one of the document's operations (section 4).
 *
 * @example
 * const id: OperationId = 'listMeasurements';
 */
export type OperationId = keyof operations;

/** What an operation acts on, and everything it may read. */
export interface OperationContext {
  /** The account that the token names, as far as an operation may see it. */
  readonly account: { readonly store: AccountStore };
  /** The account's own time; the only clock an operation reads. */
  readonly now: Date;
  /** The decisions in force for this account; those that are read are noted as applied. */
  readonly decisions: DecisionsBehindResponse;
}

/**
 * What an operation is called with: the document's parameters and body, validated.
 *
 * @example
 * const { refs }: OperationInput<'deleteEventsByRefs'>['body'] = { refs: ['acme-2026-03-31-001'] };
 */
export interface OperationInput<Id extends OperationId> {
  readonly path: Required<NonNullable<operations[Id]['parameters']['path']>>;
  readonly query: NonNullable<operations[Id]['parameters']['query']>;
  readonly body: operations[Id] extends {
    requestBody: { content: { 'application/json': infer Body } };
  }
    ? Body
    : undefined;
}

/**
 * The body of an operation's success.
 *
 * @example
 * const { measurements, total }: OperationBody<'listMeasurements'> = await response.json();
 */
export type OperationBody<Id extends OperationId> = SuccessBody<operations[Id]['responses']>;

/** The JSON body of a success, from the type of a document's responses. */
export type SuccessBody<Responses> = Responses extends unknown
  ? Responses[keyof Responses & (200 | 201 | 202)] extends {
      content: { 'application/json': infer Body };
    }
    ? Body
    : never
  : never;

export interface Operation<Id extends OperationId> {
  /** Returns the body of the success, or throws a `ProblemError` to refuse. */
  run(context: OperationContext, input: OperationInput<Id>): OperationBody<Id>;
  /**
   * The kinds of problem with which it refuses, besides those that all operations have; `undefined`
   * where a decision prevents one.
   */
  refusals(decisions: DecisionsBehindResponse): readonly (ProblemName | undefined)[];
}

/** What to do if an identifier matches nothing, unless more is known about it. */
export function sendListed(collection: ResourceName): string {
  return `Send one that GET /__control/${collection} lists, or add it.`;
}

/** Refuses an id; says so if the record was removed from the account, or is in another collection. */
export function unknownId(
  what: string,
  store: AccountStore,
  collection: ResourceName,
  id: string,
): ProblemError {
  const isRemoved = store.isRemoved(collection, id);
  const other = RESOURCE_NAMES.find((name) => store[name].get(id) !== undefined);
  const advice = isRemoved
    ? 'The dataset has it, but it was removed from this account. To get it back, reset the account.'
    : `${other ? `This is the id of a record in ${other}. ` : ''}${sendListed(collection)}`;
  return unknownIdentifier(what, advice);
}

/** Refuses an identifier that matches nothing, because of a decision. */
export function unknownIdentifier(
  what: string,
  advice: string,
  decision: DecisionId = 'unknown-identifier-status',
): ProblemError {
  return new ProblemError('unknown-identifier', `This account has no ${what}. ${advice}`, {
    decision,
  });
}
