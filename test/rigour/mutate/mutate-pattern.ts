const NEGATED: Readonly<Record<string, string>> = {
  '\\d': '\\D',
  '\\D': '\\d',
  '\\w': '\\W',
  '\\W': '\\w',
  '\\s': '\\S',
  '\\S': '\\s',
};

/** The parts of a pattern that are changed: escapes first, so that `\[` is no class. */
const PART = /\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|[\^$*+?]/g;

function changesOf(part: string): string[] {
  if (part in NEGATED) return [NEGATED[part] as string];
  if (part.startsWith('[^')) return [`[${part.slice(2)}`];
  if (part.startsWith('[')) return [`[^${part.slice(1)}`];
  if (part === '(?=' || part === '(?<=') return [part.replace('=', '!')];
  if (part === '(?!' || part === '(?<!') return [part.replace('!', '=')];
  return /^[\^$*+?{]/.test(part) ? [''] : [];
}

/** A regular expression without an anchor or a quantifier, or with a class negated. */
export function mutatePattern(literal: string): string[] {
  const end = literal.lastIndexOf('/');
  const source = literal.slice(1, end);
  const mutated = [...source.matchAll(PART)].flatMap(({ 0: part, index }) =>
    changesOf(part).map(
      (change) => source.slice(0, index) + change + source.slice(index + part.length),
    ),
  );
  return mutated.filter(isPattern).map((changed) => `/${changed}${literal.slice(end)}`);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'v').source !== '(?:)' || source === '';
  } catch {
    try {
      return new RegExp(source).source !== '(?:)';
    } catch {
      return false;
    }
  }
}
