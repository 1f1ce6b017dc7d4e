import type { Account } from '../accounts/account.js';
import type { FaultKind } from '../accounts/fault-kinds.js';
import type { NotedRequest } from '../accounts/journal/journal-request.js';
import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { ProblemError } from '../errors/problem-error.js';
import type { Input } from '../openapi/judge.js';
import type { MatchedPath, OperationRoute } from '../openapi/route-table.js';
import type { Specification } from '../openapi/specification-in-force.js';
import type { Stub } from '../stubs/stub.js';
import type { Platform } from './platform.js';
import type {
  HeaderFields,
  ResponseBody,
  ServiceRequest,
  ServiceResponse,
} from './request-and-response.js';

/** What an operation has returned. */
export interface Result {
  readonly status: number;
  readonly body: object;
}

/** A response as it leaves unless a fault distorts it, whoever made it. */
export interface Ready {
  readonly status: number;
  readonly headers: HeaderFields;
  /** Undefined if there is none. */
  readonly body: ResponseBody | undefined;
}

/** One request and its response under way; each step reads it, and sets what it has found. */
export class Exchange {
  readonly request: ServiceRequest;
  readonly platform: Platform;
  /** The header fields of the request by name in lower case; of repeated ones all values. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** What precedes the target: where the mock is mounted, and the base path. */
  basePath: string;
  /** True if the request was sent to a path below the base path. */
  isBelow = true;
  /** The target below the base path: `path`, and `query` behind a question mark. */
  target: string;
  path = '';
  query = '';
  /** The method by which the request is answered: GET for HEAD. */
  method: string;
  /** Header fields that every response gets. */
  headers: Record<string, string | string[]> = {};
  /** The path of the document that the request is for; undefined if it has none such. */
  endpoint: MatchedPath | undefined = undefined;
  /** The operation that the request calls. */
  route: OperationRoute | undefined = undefined;
  /** The stub that the request calls, where no operation has its path and method. */
  stub: Stub | undefined = undefined;
  /** True if routes of the user are tried, because neither an operation nor a stub is called. */
  isForRoutes = false;
  /** The bearer token, once it is known to name an account. */
  token: string | undefined = undefined;
  account: Account | undefined = undefined;
  /** The account's generation when the request arrived. */
  generation = 0;
  /** The specification in force for the account. */
  specification: Specification | undefined = undefined;
  /** The decisions in force for the account. */
  decisions: AppliedDecisions | undefined = undefined;
  /** The request as the journal keeps it. */
  noted: NotedRequest | undefined = undefined;
  /** The bytes of the body, or what they mean. */
  body: unknown = undefined;
  /** The values of the query as sent, once it is parsed. */
  sentQuery: Readonly<Record<string, unknown>> | undefined = undefined;
  input: Input | undefined = undefined;
  result: Result | undefined = undefined;
  ready: Ready | undefined = undefined;
  /** Why the request was refused. */
  problem: ProblemError | undefined = undefined;
  /** The kind of the fault that fired on it. */
  fault: FaultKind | undefined = undefined;
  /** Called when the response is known, before it is delivered. */
  onResponse: ((exchange: Exchange) => void) | undefined = undefined;
  /** Ends the walk. */
  response: ServiceResponse | undefined = undefined;
  /** Called when the response has been delivered, or the caller has gone. */
  readonly endings: ((isDelivered: boolean) => void)[] = [];

  constructor(request: ServiceRequest, platform: Platform) {
    this.request = request;
    this.platform = platform;
    this.fields = fieldsOf(request.headers);
    this.basePath = request.mountPath;
    this.target = request.target;
    this.method = request.method;
  }

  /** Ends it, once. */
  end(isDelivered: boolean): void {
    for (const ending of this.endings.splice(0)) ending(isDelivered);
  }
}

/** Something a request passes on its way; it may set the response, or throw a problem. */
export type Step = (exchange: Exchange) => void | Promise<void>;

/** An exchange of which some parts are known. */
export type Known<Part extends keyof Exchange> = Exchange & {
  readonly [Name in Part]: NonNullable<Exchange[Name]>;
};

/** The exchange with certain parts; throws if no step before has set one of them. */
export function known<Part extends keyof Exchange>(
  exchange: Exchange,
  ...parts: readonly Part[]
): Known<Part> {
  for (const part of parts) {
    if (exchange[part] === undefined) {
      throw new Error(`This step needs '${part}' of the exchange; no step before has set it.`);
    }
  }
  return exchange as Known<Part>;
}

/** Header fields that may appear only once. A repeated one is refused; until then, the first counts. */
export const SINGLE_FIELDS: readonly string[] = ['Host', 'Authorization', 'Content-Type'];

const SINGLE_NAMES = new Set(SINGLE_FIELDS.map((name) => name.toLowerCase()));

/** Header fields by name in lower case. */
export function fieldsOf(headers: readonly string[]): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = Object.create(null);
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    const before = fields[name];
    if (before === undefined) fields[name] = headers[index + 1] ?? '';
    else if (!SINGLE_NAMES.has(name)) fields[name] = `${before}, ${headers[index + 1]}`;
  }
  return fields;
}
