import type * as generated from '../../generated/openapi.js';

/**
 * The paths of `openapi.yaml` with their requests and responses, for clients typed by a document.
 *
 * @example
 * type Page = paths['/measurements']['get']['responses'][200]['content']['application/json'];
 */
export type paths = generated.paths;

/**
 * The operations of `openapi.yaml` by their `operationId`.
 *
 * @example
 * type Refs = operations['deleteEventsByRefs']['requestBody']['content']['application/json'];
 */
export type operations = generated.operations;

/**
 * A type of the document with all members required, except `deletedAt` or those you name: for a test
 * that knows what its data has.
 *
 * @example
 * const { detail }: Strict<Problem> = await response.json();
 */
export type Strict<
  Type,
  Optional extends PropertyKey = 'deletedAt',
> = Type extends readonly (infer Item)[]
  ? readonly Strict<Item, Optional>[]
  : Type extends object
    ? Pick<Type, keyof Type & Optional> & {
        [Name in Exclude<keyof Type, Optional>]-?: Strict<Exclude<Type[Name], undefined>, Optional>;
      }
    : Type;

/**
 * The schemas and responses of `openapi.yaml` by their names.
 *
 * @example
 * type ContractProduct = components['schemas']['ContractProduct'];
 */
export type components = generated.components;
