import type { CalledOperation, Judge } from '../openapi/judge.js';
import type { Result } from './exchange.js';

/**
 * Caches the verdict and the JSON of the pages that a `SharedCollection` keeps: they are frozen, so
 * both stay valid. A page that decisions vary, or of a collection that the account has changed, is
 * another list, which is validated and written each time.
 */
export class ResponseCache {
  readonly #passed = new WeakMap<Judge, WeakSet<object>>();
  readonly #written = new WeakMap<object, Written>();

  /** Validates a result against the document, but the kept page in it only once per judge. */
  judge(judge: Judge, called: CalledOperation, { body }: Result): void {
    const [name, list] = pageIn(body);
    const passed = this.#passed.get(judge) ?? new WeakSet();
    this.#passed.set(judge, passed);
    const isKnown = list !== undefined && passed.has(list);
    judge.response(called, isKnown ? { ...body, [name]: [] } : body);
    if (list) passed.add(list);
  }

  /** Writes the body as JSON; caches the bytes from the second time on if it has a kept page. */
  write(body: object): string | Uint8Array {
    const [name, list] = pageIn(body);
    if (!list) return encoded(JSON.stringify(body));
    const others = JSON.stringify({ ...body, [name]: [] });
    const written = this.#written.get(list);
    if (written?.others !== others) {
      // Keeping what is written only once would cost more than writing it.
      this.#written.set(list, { others });
      return encoded(JSON.stringify(body));
    }
    if (written.bytes) return written.bytes;
    const text = JSON.stringify(body);
    if (text.length > LONGEST_KEPT) return text;
    written.bytes = new TextEncoder().encode(text);
    return written.bytes;
  }
}

/** The bytes of longer pages are not kept: a fixture's records may be long. */
const LONGEST_KEPT = 2 ** 20;

/** From this length on, encoding costs less than counting the bytes now and encoding them later. */
const LONG = 2 ** 14;

/** Encodes a long text at once if it is ASCII, as most are. */
function encoded(text: string): string | Uint8Array {
  if (text.length < LONG) return text;
  const bytes = new Uint8Array(text.length);
  return new TextEncoder().encodeInto(text, bytes).read === text.length ? bytes : text;
}

/** How a kept page was last written. */
interface Written {
  /** The JSON of its body without the page. */
  readonly others: string;
  bytes?: Uint8Array;
}

/** The kept page in a body, with the name of its member; no list if there is none. */
function pageIn(body: object): readonly [name: string, list?: object] {
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value) && Object.isFrozen(value)) return [name, value];
  }
  return [''];
}
