import { memberOf } from '../errors/json-pointer.js';
import { cut, shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';

const EXPECTED = 'a HAR 1.2 file, as browsers, Playwright and proxies write it';
const RECORD_AGAIN = 'record it again while the service is called';
const BEGINNING = 20;
const MOST_NAMES = 5;

/** The entries of a HAR file, whose shapes are not checked. Throws an `OptionError` in one sentence. */
export function entriesOfHar(text: string, name: string): readonly unknown[] {
  const refuse = (received: string, advice: string) =>
    new OptionError(`The recording '${name}' ${received}; expected ${EXPECTED}; ${advice}.`);
  const har = parse(text);
  if (!har) throw refuse(...describeText(text));
  const entries = memberOf(memberOf(har.value, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    throw refuse(`is ${describeValue(har.value)}, without log.entries`, 'choose another file');
  }
  if (entries.length === 0) throw refuse('has no entries', RECORD_AGAIN);
  return entries;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.trim()) };
  } catch {
    return undefined;
  }
}

/** What a text is that is not JSON, and what to do. The parser's message would quote from it. */
function describeText(text: string): readonly [received: string, advice: string] {
  const trimmed = text.trim();
  if (trimmed === '') return ['is empty', RECORD_AGAIN];
  if (trimmed.startsWith('PK\u0003\u0004')) {
    return [
      'is a zip archive',
      "record with content: 'embed', or unpack it and choose the .har file",
    ];
  }
  const beginning = cut(trimmed, BEGINNING);
  if (/[\0\ufffd]/.test(beginning)) return ['is binary', 'choose another file'];
  if (!trimmed.startsWith('{')) {
    return [`is not JSON: it begins with ${shown(beginning)}`, 'choose another file'];
  }
  return trimmed.endsWith('}')
    ? ['is not valid JSON', 'save it again']
    : [`ends after ${text.length} characters in the middle of its JSON`, 'save all of it again'];
}

function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return `JSON of ${value === null ? 'null' : `a ${typeof value}`}`;
  if (Array.isArray(value)) return 'JSON of a list';
  const names = Object.keys(value)
    .slice(0, MOST_NAMES)
    .map((one) => shown(cut(one, BEGINNING)));
  return `a JSON object with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}`;
}
