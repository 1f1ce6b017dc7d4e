const FORM = /^\{\{ *(?<token>token +)?(?<source>path|query|body)\.(?<name>[^{}]*[^{} ]) *\}\}$/s;

/** What a placeholder stands for: `{{token body.user}}` for a token of what the body has as `user`. */
export interface Placeholder {
  readonly source: 'path' | 'query' | 'body';
  /** The name of the value; in a body the names on the way to it, with dots between them. */
  readonly name: string;
  readonly isToken: boolean;
}

/** The text with each placeholder replaced once: what replaces one is not read again. */
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
  /** Undefined if it is malformed. */
  readonly placeholder: Placeholder | undefined;
  readonly at: number;
}

/** The placeholders of a text, each as it is written. */
export function* placeholdersIn(text: string): Generator<Written, void> {
  let hasEnd = true;
  let at = text.indexOf('{{');
  while (at >= 0) {
    // Where none ends there is none to search for again.
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

/** Whether a text within the value has a placeholder of that source. */
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
