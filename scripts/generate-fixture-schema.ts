import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { refuseUnlisted } from '../src/core/datasets/fixture/compile-checks.js';
import { FIXTURE_SCHEMA, SCENARIO_SCHEMA } from '../src/core/datasets/fixture/fixture.js';
import { RELATIVE_DATE } from '../src/core/datasets/fixture/relative-dates.js';
import { writeGenerated } from './write-generated.mjs';

const [control, service] = ['control.openapi.yaml', 'openapi.yaml'].map(
  (file) => parse(readFileSync(file, 'utf8')).components.schemas,
);
const definitions = refuseUnlisted({ ...control, ...service }) as Record<string, object>;
const { scenarios, ...sections } = FIXTURE_SCHEMA.properties as Record<string, object>;
const whole = {
  ...FIXTURE_SCHEMA,
  properties: { ...sections, scenarios: { ...scenarios, additionalProperties: SCENARIO_SCHEMA } },
};
const PREFIX = '#/components/schemas/';

/** The names of the definitions that the schema refers to, directly or not. */
function neededBy(schema: object): string[] {
  const needed = new Set<string>();
  const follow = (value: object | undefined) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (needed.has(name)) continue;
      needed.add(name);
      follow(definitions[name]);
    }
  };
  follow(schema);
  return [...needed].sort();
}

/** What a fixture's values must match beyond their `format`, in a keyword that editors support. */
const PATTERNS: Readonly<Record<string, string>> = {
  'date-time': '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
  date: '^(19[7-9]|2\\d\\d)\\d-',
};

/** A date relative to today, which a fixture may have instead. */
const RELATIVE = RELATIVE_DATE.source;

/** Keywords that JSON Schema does not have. */
const FOREIGN = /^(x-|formatM|discriminator$)/;

/** The schema in plain JSON Schema: without foreign keywords, and with `examples` for `example`. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const format = 'format' in value && typeof value.format === 'string' ? value.format : '';
  const pattern = PATTERNS[format];
  return Object.fromEntries(
    Object.entries({ ...value, ...(pattern && { pattern: `${pattern}|${RELATIVE}` }) })
      // With `format`, editors would reject relative dates.
      .filter(([name]) => !(pattern && name === 'format'))
      .filter(([name]) => !FOREIGN.test(name))
      .map(([name, member]) => {
        if (name === 'usageDate') {
          return [name, { anyOf: [toJsonSchema(member), { type: 'string', pattern: RELATIVE }] }];
        }
        if (name === 'example') return ['examples', [member]];
        if (name === '$ref') return [name, String(member).replace(PREFIX, '#/definitions/')];
        return [name, toJsonSchema(member)];
      }),
  );
}

const names = neededBy(whole);
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A fixture of usage-billing-mock',
  ...(toJsonSchema(whole) as object),
  definitions: toJsonSchema(Object.fromEntries(names.map((name) => [name, definitions[name]]))),
};
writeGenerated('fixtures/fixture.schema.json', `${JSON.stringify(schema, null, 2)}\n`);
