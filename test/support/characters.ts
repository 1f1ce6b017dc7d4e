import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character, as the unit `binary` of fast-check: that writes down a million of them first, which
 * takes two seconds.
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
