import type { Account } from '../../accounts/account.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { OperationOf, Route } from '../../client/control-routes.js';
import type { ServiceParts } from '../../service/pipeline.js';
import type { Platform } from '../../service/platform.js';
import type { OPEN_ENDPOINTS } from '../open-endpoints.js';
import type { STREAM } from '../stream-requests.js';
import type { SERVER_OPERATIONS } from './on-server.js';

type OpenPath = (typeof OPEN_ENDPOINTS)[keyof typeof OPEN_ENDPOINTS];

/** The routes of the control plane's operations on an account. */
export type AccountRoute = Exclude<
  Route,
  `GET ${OpenPath}` | keyof typeof SERVER_OPERATIONS | typeof STREAM
>;

export interface ControlContext
  extends Pick<Platform, 'run'>,
    Pick<ServiceParts, 'specificationFor' | 'decisions' | 'stubs'> {
  readonly account: Account;
  /** The journal of the account, which may be closed. */
  readonly journal: Journal;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The journal of requests that reached no account. */
  readonly serverJournal: Journal;
}

/** The validated parameters and body of an operation, as the document types them. */
export interface ControlInput<To extends Route = AccountRoute> {
  readonly path: Required<NonNullable<OperationOf<To>['parameters']['path']>>;
  readonly query: NonNullable<OperationOf<To>['parameters']['query']>;
  readonly body: OperationOf<To> extends { requestBody: Json<infer Body> }
    ? Body
    : OperationOf<To> extends { requestBody?: Json<infer Body> }
      ? Body | undefined
      : undefined;
}

interface Json<Body> {
  content: { 'application/json': Body };
}

export type ControlOperation<To extends AccountRoute = AccountRoute> = (
  context: ControlContext,
  input: ControlInput<To>,
) => object | Promise<object>;

export type ControlOperations = { readonly [To in AccountRoute]: ControlOperation<To> };
