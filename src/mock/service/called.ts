import type { Input } from '../../core/openapi/judge.js';
import type { MatchedPath, OperationRoute } from '../../core/openapi/route-table.js';
import type { Specification } from '../../core/openapi/specification-in-force.js';
import type { Stub } from '../../core/stubs/stub.js';

interface Call {
  /** The matching path of the document, or of stubs for other methods; undefined without one. */
  readonly endpoint: MatchedPath | undefined;
  readonly route?: OperationRoute;
  readonly stub?: Stub;
  /** The values of the query as sent, once an operation has parsed it. */
  readonly sentQuery?: Readonly<Record<string, unknown>> | undefined;
  /** What the operation has returned. */
  readonly result?: object | undefined;
}

/** A call of an operation that a document describes. */
export interface DocumentedCall extends Call {
  readonly kind: 'operation' | 'control';
  /** From the document in force for the account, once that is known. */
  route: OperationRoute;
  specification: Specification;
  sentQuery: Call['sentQuery'];
  /** Empty until the request has been validated. */
  input: Input;
  result: Call['result'];
}

export interface StubCall extends Call {
  readonly kind: 'stub';
  readonly stub: Stub;
}

interface OtherCall extends Call {
  readonly kind: 'routes' | 'control' | 'nothing';
}

/** What a request calls: an operation, else a stub, else the option `routes`, else nothing. */
export type Called = DocumentedCall | StubCall | OtherCall;

export const NOTHING: Called = { kind: 'nothing', endpoint: undefined };
