import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** How a body becomes bytes, and the header fields that say so, rightly or not. */
export interface Coding {
  readonly by: keyof typeof CODERS;
  readonly headers: Readonly<Record<string, string>>;
}

const CODERS = {
  gzip: (text: string) => gzipSync(text),
  deflate: (text: string) => deflateSync(text),
  br: (text: string) => brotliCompressSync(text),
  'utf-16': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
};

/** What may be said of a body, whichever it is. */
const SAID: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'deflate' },
  { 'Content-Encoding': 'br' },
  { 'Content-Encoding': 'identity' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json; charset=utf-16be' },
  { 'Content-Type': 'application/json; charset=iso-8859-1' },
];

/** Every second one is said rightly. */
export const CODINGS: fc.Arbitrary<Coding> = fc
  .record({
    by: fc.constantFrom(...(Object.keys(CODERS) as (keyof typeof CODERS)[])),
    said: fc.constantFrom(...SAID),
    isRight: fc.boolean(),
  })
  .map(({ by, said, isRight }) => ({ by, headers: isRight ? rightFor(by) : said }));

function rightFor(by: Coding['by']): Readonly<Record<string, string>> {
  if (by === 'gzip' || by === 'deflate' || by === 'br') return { 'Content-Encoding': by };
  const charset = by === 'latin1' ? 'iso-8859-1' : by;
  return { 'Content-Type': `application/json; charset=${charset}` };
}

/** The bytes of a body. */
export function codedBody(text: string, { by }: Coding): Buffer {
  return CODERS[by](text);
}
