const FORM = /^\{\{ *(?<token>token +)?(?<source>path|query|body)\.(?<name>[^{}]*[^{} ]) *\}\}$/s;

/**
 * What a placeholder stands for. For example, `{{token body.user}}` stands for a token made from
 * `user` in the body.
 */
export interface Placeholder {
  readonly source: 'path' | 'query' | 'body';
  /** The name of the value; in a body, the names that lead to it, separated by dots. */
  readonly name: string;
  readonly isToken: boolean;
}

/** Leaves malformed placeholders, and any within the replacements, as they are. */
export function replacePlaceholders(
  text: string,
  replace: (placeholder: Placeholder, written: string) => string,
): string {
  let replaced = '';
  let end = 0;
  for (const { written, placeholder, at } of placeholdersIn(text)) {
    replaced += text.slice(end, at) + (placeholder ? replace(placeholder, written) : written);
    end = at + written.length;
  }
  return replaced + text.slice(end);
}

/** Anything in braces that looks like a placeholder, or the beginning of an unclosed one. */
interface Written {
  readonly written: string;
  /** Undefined if malformed. */
  readonly placeholder: Placeholder | undefined;
  readonly at: number;
}

export function* placeholdersIn(text: string): Generator<Written, void> {
  let hasEnd = true;
  let at = text.indexOf('{{');
  while (at >= 0) {
    // If one placeholder has no end, none of the later ones has.
    const end: number = hasEnd ? text.indexOf('}}', at + 2) : -1;
    hasEnd = end >= 0;
    const written = hasEnd ? text.slice(at, end + 2) : '{{';
    yield { written, placeholder: parsePlaceholder(written), at };
    at = text.indexOf('{{', at + written.length);
  }
}

function parsePlaceholder(written: string): Placeholder | undefined {
  const { source, name = '', token } = FORM.exec(written)?.groups ?? {};
  if (source === undefined) return undefined;
  return { source: source as Placeholder['source'], name, isToken: token !== undefined };
}

/** Whether a text in the value has a placeholder for this source. */
export function refersTo(source: Placeholder['source'], value: unknown): boolean {
  if (typeof value === 'string') {
    for (const { placeholder } of placeholdersIn(value)) {
      if (placeholder?.source === source) return true;
    }
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => refersTo(source, member));
}
