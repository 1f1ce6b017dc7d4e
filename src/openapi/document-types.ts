import type * as generated from '../generated/openapi.js';

/**
 * The paths of `openapi.yaml` with their requests and responses, for a client typed by a document.
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
 * The schemas and responses of `openapi.yaml` by their names.
 *
 * @example
 * type ContractProduct = components['schemas']['ContractProduct'];
 */
export type components = generated.components;
