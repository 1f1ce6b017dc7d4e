import { FIRST_LISTED, MAX_ERRORS } from '../errors/first-mistakes.js';
import { ProblemError } from '../errors/problem-error.js';
import { contentTypeOf, isJson, isMarkup } from '../values/body-type.js';
import { memberOf } from '../values/json-value.js';
import { type Mistake, mistakeInShort } from '../values/mistake.js';
import { cut } from '../values/received-value.js';
import { EXPECTED_HEADER_TEXT, isHeaderText } from './header-fields.js';
import { bearerTokenFor, type Sign } from './issued-tokens.js';
import { type Placeholder, replacePlaceholders } from './placeholder-syntax.js';
import { sandboxed } from './sandbox.js';
import type { Stub, StubResponse } from './stub.js';

/** The values that a call has sent, decoded and parsed, for placeholders to refer to. */
export type SentValues = Readonly<Record<Placeholder['source'], unknown>>;

interface FilledStub {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A longer value could make a token that fits in no header field. */
const MAX_LENGTH_IN_TOKEN = 1_000;

/** The most characters that all values in one response may have together. */
const MAX_CHARACTERS = 10 * 2 ** 20;

/**
 * Fills the placeholders in a response with what the call has sent. The strings are filled before
 * the body is written as JSON, so no value can change its shape. Throws a `ProblemError` if values
 * are missing, do not fit, or are too long together.
 */
export function fillStub(
  stub: Stub,
  response: StubResponse,
  sent: SentValues,
  sign: Sign,
): FilledStub {
  const { status = 200 } = response;
  const invalid = new Map<string, Mistake>();
  let characters = 0;

  function fill(
    text: string,
    fits: (value: string) => boolean,
    expected: string,
    write = (value: string) => value,
  ): string {
    return replacePlaceholders(text, (placeholder, written) => {
      // `memberOf` finds own members only, never those of a prototype.
      const received = namesOf(placeholder).reduce(memberOf, sent[placeholder.source]);
      const value = textOf(received);
      const wrong = wrongValue(placeholder, value) ?? (fits(value ?? '') ? undefined : expected);
      if (value === undefined || wrong) {
        if (invalid.size === MAX_ERRORS) throw refusal(stub, [...invalid.values()]);
        invalid.set(written, {
          in: placeholder.source,
          path: namesOf(placeholder),
          expected: `${wrong} for ${cut(written)} in the stub`,
          received,
          fix: 'Send such a value, or change the stub.',
        });
        return '';
      }
      const filled = write(placeholder.isToken ? bearerTokenFor(value, sign) : value);
      characters += filled.length;
      if (characters > MAX_CHARACTERS) throw tooLarge(stub);
      return filled;
    });
  }

  const headers = mapTexts(response.headers ?? {}, (text) =>
    fill(text, isHeaderText, EXPECTED_HEADER_TEXT),
  );
  const type = contentTypeOf(headers);
  const body = mapTexts(response.body, (text) =>
    fill(text, () => true, '', isMarkup(type) ? escapeMarkup : undefined),
  );
  if (invalid.size > 0) throw refusal(stub, [...invalid.values()]);
  if (isJson(type)) return { status, headers, body: JSON.stringify(body) };
  return {
    status,
    headers: sandboxed(headers),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function namesOf({ source, name }: Placeholder): readonly string[] {
  return source === 'body' ? name.split('.') : [name];
}

/** A value as text; undefined for lists, objects, null and missing values. */
function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Escapes a value for use in text and quoted attributes of HTML and XML. */
function escapeMarkup(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What was expected, if a value is wrong wherever it is used. */
function wrongValue({ isToken }: Placeholder, value: string | undefined): string | undefined {
  if (value === undefined) return 'a string, a number, true or false';
  const isTooLong = isToken && value.length > MAX_LENGTH_IN_TOKEN;
  return isTooLong ? `at most ${MAX_LENGTH_IN_TOKEN} characters` : undefined;
}

/** Replaces all strings in a value, except the names of members. */
function mapTexts<Value>(value: Value, replace: (text: string) => string): Value {
  if (typeof value === 'string') return replace(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace)) as Value;
  const members = Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace)]);
  return Object.fromEntries(members) as Value;
}

function refusal({ id, for: owner }: Stub, mistakes: readonly Mistake[]): ProblemError {
  const atMost = mistakes.length === MAX_ERRORS ? ` ${FIRST_LISTED}` : '';
  return new ProblemError(
    'invalid-request',
    `Stub ${id} of the ${owner} cannot answer: ${mistakes.map(mistakeInShort).join('; ')}.${atMost}`,
    { decision: 'invalid-request-status', mistakes },
  );
}

function tooLarge({ id, for: owner }: Stub): ProblemError {
  return new ProblemError(
    'content-too-large',
    `The response of stub ${id} of the ${owner} would contain more than ${MAX_CHARACTERS} characters from the request; expected at most that many. Send shorter values.`,
  );
}
