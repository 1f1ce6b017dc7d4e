import type { Steps } from '../service/platform.js';
import type { HeaderFields } from '../service/request-and-response.js';

const CHARACTERS_A_PIECE = 2 ** 16;

/** JSON to send in pieces, because writing it as one string would take too much time or memory. */
export class JsonPieces {
  readonly #encoder = new TextEncoder();
  readonly #pieces: Uint8Array[] = [];
  #text = '';
  #bytes = 0;

  add(text: string): this {
    this.#text += text;
    if (this.#text.length > CHARACTERS_A_PIECE) this.#flush();
    return this;
  }

  /** About how many bytes were added. */
  get bytes(): number {
    return this.#bytes + this.#text.length;
  }

  get headers(): HeaderFields {
    this.#flush();
    return {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(this.#bytes),
    };
  }

  async *content(): AsyncGenerator<Uint8Array, void> {
    this.#flush();
    yield* this.#pieces;
  }

  #flush(): void {
    const piece = this.#encoder.encode(this.#text);
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#text = '';
  }
}

/** Writes an object whose JSON ends with an empty list, and fills that list with the items. */
export function* writingList(whole: object, items: Iterable<object>): Steps<JsonPieces> {
  const json = JSON.stringify(whole);
  const inList = json.lastIndexOf('[]') + 1;
  const pieces = new JsonPieces().add(json.slice(0, inList));
  let separator = '';
  for (const item of items) {
    pieces.add(separator + JSON.stringify(item));
    separator = ',';
    yield;
  }
  return pieces.add(json.slice(inList));
}
