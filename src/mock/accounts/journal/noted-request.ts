import type { Stub } from '../../../core/stubs/stub.js';
import type { components } from '../../../generated/control.js';
import { placesOf } from './kept-evidence.js';

type Listed = components['schemas']['JournalRequest'];

/** A request as the journal stores it; `ShownRequest` is what leaves the mock. */
export interface NotedRequest {
  readonly id: number;
  /** When it was received, by the account's clock, in ms since 1970. */
  readonly atMs: number;
  /** The same in real time. */
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path below the base path, and the query, as sent. */
  readonly target: string;
  readonly operationId: string | undefined;
  /** The path of the operation or stub that it called, such as `/contracts/{contractId}`. */
  readonly template: string | undefined;
  /** Header names and values on alternate lines, because a single string takes the least memory. */
  readonly headerLines: string;
  /** The base path that was stripped from the target, if there is one. */
  readonly basePath?: string;
  /** True if it came over TLS. */
  readonly isEncrypted?: boolean;
  body?: NotedBody;
  status?: number;
  /** The Content-Length of the response. */
  responseBytes?: number;
  /** The response, if responses are kept. */
  response?: NotedResponse;
  /** Builds the response for archives; undefined once newer requests have taken its place. */
  recentResponse?: (() => NotedResponse) | undefined;
  durationMs?: number;
  latencyMs?: number;
  outcome?: 'answered' | 'aborted';
  refusal?: Refusal;
  /** The id of the last fault that fired. */
  fault?: number;
  /** Whether the document allows the response, if a `respond` fault made it for an operation. */
  arranged?: NonNullable<Listed['arranged']>;
  /** How many records it deleted, until that is undone. */
  deleted?: number;
  /** True once its changes of records were undone. */
  undone?: true;
  /**
   * Its place in the order in which operations ran; until its operation runs, that of the next one
   * when the request was received.
   */
  place: number;
  readonly stub?: Pick<Stub, 'id' | 'for'> | undefined;
  /** How many places it takes among what all journals keep. */
  places?: number;
}

export interface NotedResponse {
  /** In the form of `NotedRequest.headerLines`. */
  readonly headerLines: string;
  /** The length of the body. */
  readonly bytes: number;
  /** The body; absent if it was too long to keep. */
  readonly text?: string;
  /** The SHA-256 of a body that is too long to list. */
  readonly hash?: string;
  /** True if the body is not UTF-8, so that `text` is base64. */
  readonly isBase64?: boolean;
}

export type Refusal = Pick<Listed, 'problem' | 'detail' | 'decision' | 'decisionValue'>;

/** What is known of a request when it is received. */
export type Arrival = Pick<
  NotedRequest,
  | 'atMs'
  | 'method'
  | 'target'
  | 'operationId'
  | 'template'
  | 'headerLines'
  | 'basePath'
  | 'isEncrypted'
  | 'stub'
>;

/** A body as received, or its length and hash if it is long. */
export type NotedBody = string | { readonly bytes: number; readonly hash: string };

/** How many places a request takes among what all journals keep. */
export function placesOfRequest(noted: NotedRequest): number {
  const { target, headerLines, body, refusal, arranged, response } = noted;
  return placesOf([
    ...[target, headerLines, body, refusal?.detail, refusal?.decisionValue],
    ...[arranged?.detail, response?.headerLines, response?.text],
  ]);
}
