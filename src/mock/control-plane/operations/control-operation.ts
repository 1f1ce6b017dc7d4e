import type { operations } from '../../../generated/control.js';
import type { Account } from '../../accounts/account.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { CoverageCounter } from '../../coverage/coverage-counter.js';
import type { ServiceParts } from '../../service/pipeline.js';
import type { Platform } from '../../service/platform.js';
import type { OPEN_ENDPOINTS } from '../open-endpoints.js';
import type { STREAM } from '../stream-requests.js';
import type { SERVER_OPERATIONS } from './on-server.js';

/** The operationIds of the control plane's operations on an account. */
export type ControlOperationId = Exclude<
  keyof operations,
  keyof typeof OPEN_ENDPOINTS | keyof typeof SERVER_OPERATIONS | typeof STREAM
>;

export interface ControlContext
  extends Pick<Platform, 'run'>,
    Pick<ServiceParts, 'specificationFor' | 'decisions' | 'stubs'> {
  readonly coverage: CoverageCounter;
  readonly account: Account;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The journal of requests that reached no account. */
  readonly serverJournal: Journal;
}

/** The validated parameters and body of an operation, as the document types them. */
export interface ControlInput<Id extends ControlOperationId = ControlOperationId> {
  readonly path: Required<NonNullable<operations[Id]['parameters']['path']>>;
  readonly query: NonNullable<operations[Id]['parameters']['query']>;
  readonly body: operations[Id] extends { requestBody: Json<infer Body> }
    ? Body
    : operations[Id] extends { requestBody?: Json<infer Body> }
      ? Body | undefined
      : undefined;
}

interface Json<Body> {
  content: { 'application/json': Body };
}

export type ControlOperation<Id extends ControlOperationId = ControlOperationId> = (
  context: ControlContext,
  input: ControlInput<Id>,
) => object | Promise<object>;

export type ControlOperations = { readonly [Id in ControlOperationId]: ControlOperation<Id> };
