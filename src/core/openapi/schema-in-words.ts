import { count } from '../values/plural.js';

/** A rule of JSON Schema that a value breaks, as Ajv reports it. */
export interface BrokenKeyword {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** What a broken rule expects, in words: `at most 1000` for a `maximum` of 1000. */
export function expectationOf({ keyword, params, message = '' }: BrokenKeyword): string {
  return inWords(keyword, params[EXPECTATIONS[keyword]?.param ?? ''], message);
}

/**
 * What a rule of a schema expects, in words. If there are no words for the rule, it is the
 * validator's message.
 */
export function expectationOfSchema(
  keyword: string,
  schema: object | undefined,
  message: string,
): string {
  const rule = STANDARD[keyword] ?? keyword;
  const { [rule]: value } = { ...schema } as Readonly<Record<string, unknown>>;
  return inWords(rule, value, message);
}

export function listedValuesOf(schema: object | undefined): readonly string[] {
  const { enum: values = [], oneOf = [] } = { ...schema } as Alternative;
  return [...values.map(String), ...oneOf.flatMap(listedValuesOf)];
}

/** The keywords of express-openapi-validator, with the standard ones that they replace. */
const STANDARD: Readonly<Record<string, string>> = { 'x-eov-type': 'type' };

function inWords(keyword: string, value: unknown, message: string): string {
  const expectation = value === undefined ? undefined : EXPECTATIONS[keyword];
  return expectation?.words(value) ?? message.replace(/^(?:must|should) (?:be )?/, '');
}

interface Expectation {
  /** The member of Ajv's `params` to pass to `words`; empty if Ajv reports none. */
  readonly param: string;
  readonly words: (value: unknown) => string;
}

const LIMIT = 'limit';

/**
 * Words for keywords in the schemas of the documents and fixtures; other keywords keep Ajv's
 * message.
 */
const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  type: { param: 'type', words: (types) => [types].flat().map(withArticle).join(' or ') },
  enum: { param: 'allowedValues', words: (values) => `one of ${[values].flat().join(', ')}` },
  format: { param: 'format', words: (format) => `a value in the format ${format}` },
  minimum: { param: LIMIT, words: atLeast },
  maximum: { param: LIMIT, words: atMost },
  formatMinimum: { param: LIMIT, words: atLeast },
  formatMaximum: { param: LIMIT, words: atMost },
  minLength: { param: LIMIT, words: (limit) => atLeast(count(limit, 'character')) },
  maxLength: { param: LIMIT, words: (limit) => atMost(count(limit, 'character')) },
  minItems: { param: LIMIT, words: (limit) => atLeast(count(limit, 'item')) },
  maxItems: { param: LIMIT, words: (limit) => atMost(count(limit, 'item')) },
  minProperties: { param: LIMIT, words: (limit) => atLeast(count(limit, 'member')) },
  maxProperties: { param: LIMIT, words: (limit) => atMost(count(limit, 'member')) },
  required: { param: 'missingProperty', words: (name) => `the member '${name}'` },
  oneOf: {
    param: '',
    words: (schemas) =>
      [schemas]
        .flat()
        .map((one) => alternativeInWords(Object(one)))
        .join(', or '),
  },
};

interface Alternative {
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Alternative[];
}

/** An alternative in words, such as `an integer, at least 1`; a bound that nobody meets is left out. */
function alternativeInWords({ enum: values, ...rules }: Alternative): string {
  const schema: Readonly<Record<string, unknown>> = rules;
  if (values) return values.map((value) => `'${value}'`).join(' or ');
  return Object.entries(schema)
    .filter(([, value]) => value !== Number.MAX_SAFE_INTEGER)
    .map(([keyword, value]) => inWords(keyword, value, ''))
    .join(', ');
}

function atLeast(limit: unknown): string {
  return `at least ${limit}`;
}

function atMost(limit: unknown): string {
  return `at most ${limit}`;
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  if (type === 'boolean') return 'true or false';
  return `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}
