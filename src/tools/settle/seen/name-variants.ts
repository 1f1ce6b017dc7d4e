/** Variants of a name, which a service may or may not take for the name itself. */
const VARIANTS: readonly ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => `${name} `,
  (name) => name && `${name}.`,
  (name) => name.replace(/[A-Za-z]/, '_'),
  (name) => [...name].slice(0, -1).join(''),
  (name) => [...name].slice(1).join(''),
  (name) => name.replace(/(?<=\S) (?=\S)/, '-'),
  withoutZeros,
  (name) => name.replace(/(?<=\S) (?=\S)/, '  '),
  withOtherAccents,
  (name) => name.normalize(name.normalize('NFD') === name ? 'NFC' : 'NFD'),
  // A fullwidth letter.
  (name) =>
    name.replace(/[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
];

/** The variants of a name that differ from it. */
export function variantsOf(name: string): readonly string[] {
  const variants = VARIANTS.map((vary) => vary(name));
  return variants.filter((variant) => variant !== name && variant.trim() !== '');
}

function withOtherAccents(name: string): string {
  const bare = name.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return bare === name ? name.replace(/[aeiou]/i, '$&\u0301').normalize('NFC') : bare;
}

/** The text with `7` for `007`. */
export function withoutZeros(text: string): string {
  return text.replaceAll(/(?<!\d)0+(?=\d)/g, '');
}
