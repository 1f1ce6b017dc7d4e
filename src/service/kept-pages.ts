import type { CalledOperation, Judge } from '../openapi/judge.js';
import type { Result } from './exchange.js';

/**
 * Judges and writes the pages that `SharedCollection` keeps for all accounts once: such a page is frozen,
 * so what was said of it stays true. A page that decisions vary, or with records that its account has
 * changed, is another list, and is judged and written each time.
 */
export class KeptPages {
  readonly #passed = new WeakMap<Judge, WeakSet<object>>();
  readonly #written = new WeakMap<object, Written>();

  /** Holds a result against the document; a kept page in it once for each judge. */
  judge(judge: Judge, called: CalledOperation, { status, body }: Result): void {
    const [name, list] = pageIn(body);
    const passed = this.#passed.get(judge) ?? new WeakSet();
    this.#passed.set(judge, passed);
    const isKnown = list !== undefined && passed.has(list);
    judge.response(called, status, isKnown ? { ...body, [name]: [] } : body);
    if (list) passed.add(list);
  }

  /** The body as JSON: its bytes are kept if it has a kept page and is written again. */
  write(body: object): string | Uint8Array {
    const [name, list] = pageIn(body);
    if (!list) return JSON.stringify(body);
    const others = JSON.stringify({ ...body, [name]: [] });
    const written = this.#written.get(list);
    if (written?.others !== others) {
      // To keep what is written once would cost more than to write it.
      this.#written.set(list, { others });
      return JSON.stringify(body);
    }
    if (written.bytes) return written.bytes;
    const text = JSON.stringify(body);
    if (text.length > LONGEST_KEPT) return text;
    written.bytes = new TextEncoder().encode(text);
    return written.bytes;
  }
}

/** The records of a fixture may be long: a longer page is written each time. */
const LONGEST_KEPT = 2 ** 20;

/** How a kept page was last written. */
interface Written {
  /** What its body had beside it. */
  readonly others: string;
  bytes?: Uint8Array;
}

/** The kept page in a body, and the name of its member; nothing if there is none. */
function pageIn(body: object): readonly [name: string, list?: object] {
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value) && Object.isFrozen(value)) return [name, value];
  }
  return [''];
}
