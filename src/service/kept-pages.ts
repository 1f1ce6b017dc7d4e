import type { CalledOperation, Judge } from '../openapi/judge.js';
import type { Result } from './exchange.js';

/**
 * What is known of the pages that all accounts over a dataset share: such a page is frozen, so what was
 * said of it once stays true. What decisions vary, and what an account has changed, is another list,
 * which is judged and written anew each time.
 */
export class SharedLists {
  readonly #passed = new WeakMap<Judge, WeakSet<object>>();
  readonly #written = new WeakMap<object, Written>();

  /** Holds a result against the document; a shared list in it once for each judge. */
  judge(judge: Judge, called: CalledOperation, { status, body }: Result): void {
    const [name, list] = sharedListIn(body);
    const passed = this.#passed.get(judge) ?? new WeakSet();
    this.#passed.set(judge, passed);
    const isKnown = list !== undefined && passed.has(list);
    judge.response(called, status, isKnown ? { ...body, [name]: [] } : body);
    if (list) passed.add(list);
  }

  /** The body as JSON: its bytes are kept if it has a shared list and is written again. */
  write(body: object): string | Uint8Array {
    const [name, list] = sharedListIn(body);
    if (!list) return JSON.stringify(body);
    const others = JSON.stringify({ ...body, [name]: [] });
    const written = this.#written.get(list);
    if (written?.others !== others) {
      // To keep what is written once would cost more than to write it.
      this.#written.set(list, { others });
      return JSON.stringify(body);
    }
    written.bytes ??= new TextEncoder().encode(JSON.stringify(body));
    return written.bytes;
  }
}

/** How a shared list was last written. */
interface Written {
  /** What its body had beside it. */
  readonly others: string;
  bytes?: Uint8Array;
}

/** The list of a body that accounts share, and the name of its member; nothing if there is none. */
function sharedListIn(body: object): readonly [name: string, list?: object] {
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value) && Object.isFrozen(value)) return [name, value];
  }
  return [''];
}
