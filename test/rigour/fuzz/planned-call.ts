import type { Coding } from './coded-body.js';
import type { Operation } from './documents.js';

/** Who a call is made as. */
export type Actor = (typeof ACTORS)[number];

export const ACTORS = [
  'token',
  'id',
  'none',
  'malformed',
  'refused',
  'unknown id',
  'id of another token',
] as const;

/** A call as it is planned; `{{…}}` in it is filled in when its turn comes. */
export interface PlannedCall {
  readonly operation: Operation;
  readonly actor: Actor;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How the body is sent, if not as text. */
  readonly coding?: Coding | undefined;
}
