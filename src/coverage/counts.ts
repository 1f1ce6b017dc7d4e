import type { DecisionId, Decisions } from '../decisions/ledger.js';
import { hexHash } from '../store/hash.js';

/** A call of the service when its response is known, as far as coverage is concerned. */
export interface Call {
  /** Undefined if it called no operation. */
  readonly operationId: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The values of the query as sent; of a repeated one the last. */
  readonly query: Readonly<Record<string, string>>;
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
  readonly row: string;
  readonly request: string;
  /** Undefined if the fault fired before the body was read. */
  readonly body: string | undefined;
}

/** Of more requests than that, the earliest counts as one that was not tried again. */
const MOST_FAULTED = 64;

/** How often each row was touched; as large as there are rows, whatever the number of calls. */
export class Counts {
  readonly #counts = new Map<string, number>();
  readonly #faulted: Faulted[] = [];
  #calls = 0;

  /** How many calls were begun to be counted. */
  get calls(): number {
    return this.#calls;
  }

  begin(): void {
    this.#calls += 1;
  }

  of(row: string): number {
    return this.#counts.get(row) ?? 0;
  }

  add(row: string): void {
    this.#counts.set(row, this.of(row) + 1);
  }

  /** The row of the fault that fired the last time that this request came, if one did. */
  takeFaulted(call: Call): string | undefined {
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
  addFaulted(row: string, call: Call): void {
    this.#faulted.push({ row, ...requestOf(call) });
    if (this.#faulted.length > MOST_FAULTED) this.#faulted.shift();
  }

  clear(): void {
    this.#counts.clear();
    this.#faulted.length = 0;
    this.#calls = 0;
  }
}

function requestOf({ method, target, body }: Call): Omit<Faulted, 'row'> {
  const text = body === undefined ? undefined : hexHash(16, JSON.stringify(body));
  return { request: `${method} ${target}`, body: text };
}
