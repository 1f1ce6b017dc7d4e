import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character, like fast-check's unit `binary`, which first lists a million of them and takes two
 * seconds for that.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES), numberOf);

function numberOf(character: unknown): number {
  const [point = 0] = [...String(character)].map((one) => one.codePointAt(0) ?? 0);
  const nth = point < FIRST_SURROGATE ? point : point - SURROGATES;
  if (character !== String.fromCodePoint(point)) throw new Error('It is not one character.');
  return nth;
}
