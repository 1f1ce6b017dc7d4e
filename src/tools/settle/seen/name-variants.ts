/** A variant of a name, which a service may or may not take for the name itself. */
export type NameVariant = keyof typeof VARIANTS;

const VARIANTS = {
  'small letters': (name: string) => name.toLowerCase(),
  'capital letters': (name: string) => name.toUpperCase(),
  'a space before it': (name: string) => ` ${name}`,
  'a space after it': (name: string) => `${name} `,
  'a full stop after it': (name: string) => name && `${name}.`,
  'an underscore for a letter': (name: string) => name.replace(/[A-Za-z]/, '_'),
  'its beginning': (name: string) => [...name].slice(0, -1).join(''),
  'its end': (name: string) => [...name].slice(1).join(''),
  'a hyphen for a space': (name: string) => name.replace(/(?<=\S) (?=\S)/, '-'),
  'numbers without leading zeros': withoutZeros,
  'two spaces in it': (name: string) => name.replace(/(?<=\S) (?=\S)/, '  '),
  'other accents': (name: string) => {
    const bare = name.normalize('NFD').replaceAll(/\p{M}/gu, '');
    return bare === name ? name.replace(/[aeiou]/i, '$&\u0301').normalize('NFC') : bare;
  },
  'another normalisation': (name: string) =>
    name.normalize('NFD') === name ? name.normalize('NFC') : name.normalize('NFD'),
  'a fullwidth letter': (name: string) =>
    name.replace(/[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
};

/** The text with `7` for `007`. */
export function withoutZeros(text: string): string {
  return text.replaceAll(/(?<!\d)0+(?=\d)/g, '');
}

/** The variants of a name that differ from it. */
export function variantsOf(name: string): readonly (readonly [NameVariant, string])[] {
  const variants = Object.entries(VARIANTS) as [NameVariant, (name: string) => string][];
  return variants
    .map(([kind, vary]) => [kind, vary(name)] as const)
    .filter(([, variant]) => variant !== name && variant.trim() !== '');
}

export const NAME_VARIANTS = Object.keys(VARIANTS) as readonly NameVariant[];

export function isNameVariant(kind: string): kind is NameVariant {
  return Object.hasOwn(VARIANTS, kind);
}
