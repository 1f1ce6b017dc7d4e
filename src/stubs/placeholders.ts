/** Something like a placeholder, or the beginning of one that does not end. */
const BRACES = /\{\{(?:.*?\}\})?/gs;

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
  if (!text.includes('{{')) return text;
  return text.replaceAll(BRACES, (written) => {
    const placeholder = parsePlaceholder(written);
    return placeholder ? replace(placeholder, written) : written;
  });
}

/** The placeholders of a text, each as it is written; those that are malformed have no meaning. */
export function placeholdersIn(
  text: string,
): { readonly written: string; readonly placeholder: Placeholder | undefined }[] {
  return (text.match(BRACES) ?? []).map((written) => ({
    written,
    placeholder: parsePlaceholder(written),
  }));
}

function parsePlaceholder(written: string): Placeholder | undefined {
  const { source, name = '', token } = FORM.exec(written)?.groups ?? {};
  if (source === undefined) return undefined;
  return { source: source as Placeholder['source'], name, isToken: token !== undefined };
}

/** Whether a text within the value has a placeholder of that source. */
export function refersTo(source: Placeholder['source'], value: unknown): boolean {
  if (typeof value === 'string') {
    return placeholdersIn(value).some(({ placeholder }) => placeholder?.source === source);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => refersTo(source, member));
}
