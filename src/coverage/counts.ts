import type { DecisionId, Decisions } from '../decisions/ledger.js';
import { hexHash } from '../store/hash.js';

/** A call of the service when its response is known, as far as coverage is concerned. */
export interface Call {
  /** Undefined if it called no operation. */
  readonly operationId: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The values of the query as sent; of a repeated one a list. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined if none was read. */
  readonly body: unknown;
  /** The status that the caller sees; undefined if the response is lost. */
  readonly status: number | undefined;
  /** What the operation has returned, unless it refused. */
  readonly result: object | undefined;
  /** The name of the problem with which it was refused. */
  readonly problem: string | undefined;
  /** The kind of the fault that fired. */
  readonly fault: string | undefined;
  /** The decisions in force for it, and those that were asked for. */
  readonly inForce: Decisions | undefined;
  readonly applied: readonly DecisionId[];
}

/** A request on which a fault fired, until the same one comes again. */
interface Faulted {
  /** The number of the row of its being tried again. */
  readonly row: number;
  readonly request: string;
  /** Undefined if the fault fired before the body was read. */
  readonly body: string | undefined;
}

/** Of more requests than that, the earliest counts as one that was not tried again. */
const MOST_FAULTED = 64;

/** How often each row was touched, by the numbers of rows; as large as there are rows. */
export class Counts {
  #counts: number[] = [];
  readonly #faulted: Faulted[] = [];
  /** How many calls were counted. */
  calls = 0;

  of(row: number): number {
    return this.#counts[row] ?? 0;
  }

  add(row: number): void {
    this.#counts[row] = (this.#counts[row] ?? 0) + 1;
  }

  /** The row to count if a fault fired the last time that this request came. */
  takeFaulted(call: Call): number | undefined {
    if (this.#faulted.length === 0) return undefined;
    const { request, body } = requestOf(call);
    const nth = this.#faulted.findIndex(
      (one) =>
        one.request === request &&
        (one.body === undefined || body === undefined || one.body === body),
    );
    return nth < 0 ? undefined : this.#faulted.splice(nth, 1)[0]?.row;
  }

  /** Waits for the same request to come again. */
  addFaulted(row: number, call: Call): void {
    this.#faulted.push({ row, ...requestOf(call) });
    if (this.#faulted.length > MOST_FAULTED) this.#faulted.shift();
  }

  clear(): void {
    this.#counts = [];
    this.#faulted.length = 0;
    this.calls = 0;
  }
}

function requestOf({ method, target, body }: Call): Omit<Faulted, 'row'> {
  const text = body === undefined ? undefined : hexHash(16, JSON.stringify(body));
  return { request: `${method} ${target}`, body: text };
}
