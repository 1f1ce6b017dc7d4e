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
  const shown: string[] = [];
  let end = 0;
  for (const { start, written } of bracesIn(text)) {
    const placeholder = parsePlaceholder(written);
    shown.push(text.slice(end, start), placeholder ? replace(placeholder, written) : written);
    end = start + written.length;
  }
  return shown.join('') + text.slice(end);
}

/** The placeholders of a text, each as it is written; those that are malformed have no meaning. */
export function placeholdersIn(
  text: string,
): { readonly written: string; readonly placeholder: Placeholder | undefined }[] {
  return Array.from(bracesIn(text), ({ written }) => ({
    written,
    placeholder: parsePlaceholder(written),
  }));
}

/** What looks like a placeholder; of those that do not end, the first. */
function* bracesIn(text: string): Iterable<{ readonly start: number; readonly written: string }> {
  let start = text.indexOf('{{');
  while (start >= 0) {
    const close = text.indexOf('}}', start + 2);
    const end = close < 0 ? start + 2 : close + 2;
    yield { start, written: text.slice(start, end) };
    start = close < 0 ? close : text.indexOf('{{', end);
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
