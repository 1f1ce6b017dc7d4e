/** How many items of an array are written at a time: their text stays in the processor's cache. */
const ITEMS = 50;
/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const MOST_BYTES = 3;
const COMMA = ','.charCodeAt(0);

/** Whether a body has an array that is worth writing piece by piece. */
export function isLong(body: object): boolean {
  return Object.values(body).some(hasManyItems);
}

/**
 * The bytes of the JSON that `JSON.stringify` writes of a plain object, which it takes a third more
 * time to write in one piece: a long text has to be put together, and encoded, in fresh memory.
 */
export function jsonBytes(body: object): Buffer {
  const bytes = new GrowingBytes();
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    bytes.append(`${separator}${JSON.stringify(name)}:`);
    if (hasManyItems(value)) appendItems(bytes, value);
    else bytes.append(JSON.stringify(value));
    separator = ',';
  }
  bytes.append(separator === '{' ? '{}' : '}');
  return bytes.written();
}

function hasManyItems(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > ITEMS;
}

function appendItems(bytes: GrowingBytes, items: readonly unknown[]): void {
  for (let start = 0; start < items.length; start += ITEMS) {
    const text = JSON.stringify(items.slice(start, start + ITEMS));
    if (start > 0) {
      bytes.appendToArray(text);
      continue;
    }
    // The others are about as long as the first; what is too little grows.
    bytes.reserve((text.length * items.length) / ITEMS);
    bytes.append(text);
  }
}

/** Text as UTF-8, with room for more. */
class GrowingBytes {
  #bytes: Buffer = Buffer.allocUnsafe(0);
  #length = 0;

  append(text: string): void {
    this.reserve(MOST_BYTES * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Appends an array to the one that was appended last: they become one. */
  appendToArray(text: string): void {
    this.#length -= 1;
    const seam = this.#length;
    this.append(text);
    this.#bytes[seam] = COMMA;
  }

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.ceil(needed * 1.25));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
