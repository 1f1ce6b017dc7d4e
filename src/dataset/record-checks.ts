import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expectationOf } from '../billing/expectation.js';
import { adviceOnName, didYouMean } from '../billing/nearest.js';
import { type ResourceName, SCHEMA_OF } from '../billing/resources.js';
import { wrongDay, wrongDays } from './fixture-checks.js';
import { ACCOUNTS_SCHEMA, FIXTURE_SCHEMA } from './fixture-schema.js';
import type { Mistake } from './mistake.js';
import { tooDeep } from './nesting.js';

/** Checks what users write against the schemas of the document. */
export interface RecordChecks {
  /** Every mistake of a fixture; none if it is good. */
  fixture(value: unknown): Mistake[];
  /** Every mistake of an `accounts` section; none if it is good. */
  accounts(value: unknown): Mistake[];
  /** Every mistake of one record of the collection; none if it is good. */
  record(resource: ResourceName, value: unknown): Mistake[];
  /** Every mistake of a value by the name of its schema; none if it is good. */
  value(schema: string, value: unknown): Mistake[];
}

/**
 * Makes the checks from the document's schemas; `others` are those that only `value` looks at. They
 * are stricter than answers are checked: a member that no schema lists is refused, because in a
 * fixture it is a typing error.
 */
export function createRecordChecks(
  schemas: object,
  others: () => object = () => schemas,
): RecordChecks {
  let ajv: Ajv | undefined;
  const known = () => schemas;
  const compiled = new Map<string, ValidateFunction>();

  function check(name: string, schema: object, value: unknown, from = known): Mistake[] {
    const deep = tooDeep(value);
    if (deep.length > 0) return deep;
    ajv ??= createAjv();
    const validate =
      compiled.get(name) ??
      ajv.compile({ ...schema, components: { schemas: refuseUnlisted(from()) } });
    compiled.set(name, validate);
    validate(value);
    // A name that breaks a rule is told once, by `propertyNames`.
    const errors = (validate.errors ?? []).filter(({ propertyName }) => propertyName === undefined);
    return errors.map(toMistake);
  }

  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  return {
    fixture: (value) => [...check('a fixture', FIXTURE_SCHEMA, value), ...wrongDays(value)],
    accounts: (value) => check('accounts', ACCOUNTS_SCHEMA, value),
    record: (resource, value) => [
      ...check(resource, refTo(SCHEMA_OF[resource]), value),
      ...(resource === 'measurements' ? wrongDay(value) : []),
    ],
    value: (name, value) => [
      ...check(name, refTo(name), value, others),
      ...(name === 'State' ? wrongDays(value) : []),
    ],
  };
}

function createAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true, verbose: true });
  addFormats.default(ajv, { keywords: true });
  ajv.addFormat('date-time', isTimestamp);
  return ajv;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
};

const isFormallyTimestamp = addFormats.default.get('date-time') as {
  readonly validate: (text: string) => boolean;
};

/** RFC 3339 with the `T` that answers must have, and an instant that JavaScript knows. */
export function isTimestamp(text: string): boolean {
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
  return isInstant && isFormallyTimestamp.validate(text);
}

/** The schemas, with every object that lists its members closed to others. */
export function refuseUnlisted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(refuseUnlisted);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, value]) => [name, refuseUnlisted(value)]);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(members), ...(isOpen && { additionalProperties: false }) };
}

function toMistake(error: ErrorObject): Mistake {
  const { instancePath, keyword, params, message = '', data, parentSchema } = error;
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  switch (keyword) {
    case 'additionalProperties': {
      const name: string = params.additionalProperty;
      return {
        path: [...path, name],
        expected: expectationOf(message),
        received: name,
        mend:
          name === '<<'
            ? 'Merge keys are not read: write it out.'
            : adviceOnName(name, Object.keys(parentSchema?.properties ?? {})),
      };
    }
    case 'propertyNames': {
      const name: string = params.propertyName;
      return {
        path: [...path, name],
        expected: 'a bearer token: letters, digits and any of -._~+/',
        received: name,
      };
    }
    case 'enum': {
      const known: string[] = params.allowedValues.map(String);
      const mend = didYouMean(data, known);
      return {
        path,
        expected: `one of ${known.join(', ')}`,
        received: data,
        ...(mend && { mend }),
      };
    }
    case 'required':
      return { path, expected: expectationOf(message), received: data, mend: 'Add it.' };
    case 'format':
      return {
        path,
        expected: `${expectationOf(message)}, such as ${EXAMPLES[params.format] ?? 'the schema shows'}`,
        received: data,
      };
    default:
      return { path, expected: expectationOf(message), received: data };
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
