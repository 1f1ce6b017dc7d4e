import { OptionError } from '../../../core/errors/option-error.js';
import { isObject, valueAt } from '../../../core/values/json-value.js';
import { parseJson, TooDeepError } from '../../../core/values/parse-json.js';
import { cut, shown } from '../../../core/values/received-value.js';

const RECORD_AGAIN = 'record it again while your client calls the service';
const ANOTHER_FILE = 'choose another file';
const BEGINNING = 20;
const MAX_NAMES = 5;

/** The entries of a HAR file, unchecked. Throws an `OptionError` if there are none. */
export function entriesOfHar(text: string, name: string): readonly unknown[] {
  const trimmed = text.trim();
  const refuse = (received: string, advice: string) =>
    new OptionError(
      `The recording '${name}' ${received}; expected a HAR 1.2 file, as browsers, Playwright and proxies write it; ${advice}.`,
    );
  let har: unknown;
  try {
    har = parseJson(trimmed);
  } catch (error) {
    if (error instanceof TooDeepError) throw refuse(`is ${error.message}`, ANOTHER_FILE);
    throw refuse(...describeText(trimmed, text.length));
  }
  const entries = valueAt(har, '/log/entries');
  if (!Array.isArray(entries)) {
    throw refuse(`is ${describeValue(har)}, without log.entries`, ANOTHER_FILE);
  }
  if (entries.length === 0) throw refuse('has no entries', RECORD_AGAIN);
  return entries;
}

/** Describes text that is not JSON, and what to do. The parser's message could quote a secret. */
function describeText(text: string, length: number): readonly [received: string, advice: string] {
  if (text === '') return ['is empty', RECORD_AGAIN];
  if (text.startsWith('PK\u0003\u0004')) {
    return [
      'is a zip archive',
      "record with content: 'embed', or unpack it and choose the .har file",
    ];
  }
  const beginning = cut(text, BEGINNING);
  if (/[\0\ufffd]/.test(beginning)) return ['is binary', ANOTHER_FILE];
  if (!text.startsWith('{')) {
    return [`is not JSON: it begins with ${shown(beginning)}`, ANOTHER_FILE];
  }
  return text.endsWith('}')
    ? ['is not valid JSON', 'save it again']
    : [`ends after ${length} characters in the middle of its JSON`, 'save all of it again'];
}

function describeValue(value: unknown): string {
  if (value === null) return 'JSON of null';
  if (!isObject(value)) return `JSON of a ${Array.isArray(value) ? 'list' : typeof value}`;
  const names = Object.keys(value)
    .slice(0, MAX_NAMES)
    .map((one) => shown(cut(one, BEGINNING)));
  return `a JSON object with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}`;
}
