import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { memberOf, namesOfPointer, pointerTo } from '../values/json-value.js';
import { hasMoreElements, sampleOf } from '../values/sample.js';

/**
 * For schemas of the package's documents, which the gate checks: to compile the schema of schemas
 * takes longer than any of them.
 */
export const CHECKED_SCHEMAS = { meta: false, validateSchema: false } as const;

/** How many elements of a value are looked at for every rule that they break. */
export const MOST_ELEMENTS = 10_000;

/** The rules that a value breaks; none if it matches the schema. */
export type SchemaCheck = (schema: object, value: unknown) => readonly ErrorObject[];

/** Compiles each schema of a document when it is first needed. */
export function createSchemaCheck(components: object, mostElements?: number): SchemaCheck {
  const create = (allErrors: boolean) => {
    const ajv = new Ajv({ ...CHECKED_SCHEMAS, strict: false, allErrors });
    addFormats.default(ajv);
    return ajv;
  };
  const all = create(true);
  const compiled = new Map<object, BoundedCheck>();
  return (schema, value) => {
    const compile = (ajv: Ajv) => ajv.compile({ ...schema, components });
    const check =
      compiled.get(schema) ??
      boundedCheck((allErrors) => compile(allErrors ? all : create(false)), mostElements);
    compiled.set(schema, check);
    return check(value);
  };
}

type BoundedCheck = (value: unknown) => readonly ErrorObject[];

/**
 * Finds every rule that a value breaks. A long one is validated as a whole up to the first mistake,
 * and then a sample that begins there: Ajv creates an error for each mistake, and millions of them
 * take all memory.
 */
export function boundedCheck(
  compile: (allErrors: boolean) => ValidateFunction,
  mostElements = MOST_ELEMENTS,
): BoundedCheck {
  let all: ValidateFunction | undefined;
  let upToFirst: ValidateFunction | undefined;

  function run(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
    validate(value);
    const errors = validate.errors ?? [];
    // Otherwise the value would be kept until the next one is validated.
    validate.errors = null;
    return errors;
  }

  return (value) => {
    if (!hasMoreElements(value, mostElements)) {
      all ??= compile(true);
      return run(all, value);
    }
    upToFirst ??= compile(false);
    const found = run(upToFirst, value);
    const last = found.at(-1);
    if (!last) return [];
    all ??= compile(true);
    const sample = sampleOf(value, { mostElements, names: namesOfPointer(last.instancePath) });
    const others = run(all, sample.value).map((error) => {
      const names = sample.placeOf(namesOfPointer(error.instancePath));
      return { ...error, instancePath: pointerTo(...names), data: names.reduce(memberOf, value) };
    });
    return [...found, ...others.filter((error) => isOfWhole(error) && !found.some(isLike(error)))];
  };
}

/** Whether a rule is broken by more than that elements were left out. */
function isOfWhole({ keyword, params, data }: ErrorObject): boolean {
  if (keyword === 'required') return memberOf(data, params.missingProperty) === undefined;
  return isBrokenBySize(keyword, data);
}

/** False if the rule asks for an element and the value has one: no rule of the documents asks for more. */
export function isBrokenBySize(keyword: string, value: unknown): boolean {
  return !/^min(Items|Properties)$/.test(keyword) || Object.keys(Object(value)).length === 0;
}

function isLike(one: ErrorObject): (other: ErrorObject) => boolean {
  return (other) =>
    one.schemaPath === other.schemaPath &&
    one.instancePath === other.instancePath &&
    JSON.stringify(one.params) === JSON.stringify(other.params);
}
