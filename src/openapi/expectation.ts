/** What a JSON Schema validator says of a broken rule, and the same as an expectation. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^must be (array|object|integer)$/, 'an $1'],
  [/^must be (string|number|boolean)$/, 'a $1'],
  [/^(?:must|should) be >= (.*)$/, 'at least $1'],
  [/^(?:must|should) be <= (.*)$/, 'at most $1'],
  [/^must be equal to one of the allowed values: (.*)$/, 'one of $1'],
  [/^must NOT have fewer than 1 properties$/, 'at least 1 member'],
  [/^must NOT have more than 1 properties$/, 'at most 1 member'],
  [/^must NOT have fewer than 1 (.*)s$/, 'at least 1 $1'],
  [/^must NOT have fewer than (.*)$/, 'at least $1'],
  [/^must NOT have more than (.*)$/, 'at most $1'],
  [/^must have required property '(.*)'$/, "the member '$1'"],
  [/^must NOT have additional properties$/, 'no member of this name'],
  [/^must match format "(.*)"$/, 'a value in the format $1'],
];

/** Turns a validator's message, such as `must be <= 1000`, into what was expected: `at most 1000`. */
export function expectationOf(message: string): string {
  const [pattern, words] = WORDS.find(([form]) => form.test(message)) ?? [/^must /, ''];
  return message.replace(pattern, words);
}
