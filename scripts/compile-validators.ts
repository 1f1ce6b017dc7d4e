// Compiles the validators of requests, responses and records to code, for pages whose
// Content-Security-Policy forbids compiling at run time.
import { Ajv, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { transformSync } from 'esbuild';
import { RESOURCE_NAMES } from '../src/core/billing/resources.js';
import { createCheckingAjv } from '../src/core/datasets/fixture/compile-checks.js';
import { createRecordChecks } from '../src/core/datasets/fixture/schema-checks.js';
import { DEFAULT_DECISIONS, type DecisionValue, LEDGER } from '../src/core/decisions/ledger.js';
import {
  documentedName,
  type JudgedPart,
  judgedParts,
} from '../src/core/openapi/compiled-judge.js';
import {
  allowingUndocumented,
  documentByDecisions,
} from '../src/core/openapi/document-by-decisions.js';
import { CHECKED_SCHEMAS } from '../src/core/openapi/judge.js';
import { followReference } from '../src/core/openapi/references.js';
import { everyRequestChange } from '../src/core/openapi/requests-by-decision.js';
import { METHODS, type OpenApiDocument } from '../src/core/openapi/route-table.js';
import { membersOf } from '../src/core/values/json-value.js';
import {
  createJudge,
  createValidators,
} from '../src/host/server/documents/express-openapi-validator.js';
import {
  checkedSchemas,
  withAnyBody,
  withEachCollection,
} from '../src/mock/control-plane/control-document.js';

/** A schema to compile, with the document's components that it refers to. */
interface Compiled {
  readonly name: string;
  readonly schema: object;
}

const ERROR_BODIES = Object.keys(LEDGER['error-body'].values) as DecisionValue<'error-body'>[];

const QUIET: Options = { ...CHECKED_SCHEMAS, strict: false, strictNumbers: true };
const SOURCE: Options = { code: { source: true } };

/** An Ajv that compiles as express-openapi-validator does, with errors that name no schemas. */
function judging(options: Options): Ajv {
  const ajv = new Ajv({ ...QUIET, ...SOURCE, ...options });
  addFormats.default(ajv, { mode: 'fast' });
  return ajv;
}

/** The code of a function that takes `require`, and returns the validators by kind and name. */
export function compileValidators(service: OpenApiDocument, control: OpenApiDocument): string {
  const documents = [service, allowingUndocumented(service)].flatMap((document) =>
    ERROR_BODIES.map((value) =>
      documentByDecisions(document, { ...DEFAULT_DECISIONS, 'error-body': value }),
    ),
  );
  const { requests, bodies, responses } = partsOf([
    ...documents,
    ...everyRequestChange().map((changed) =>
      documentByDecisions(service, { ...DEFAULT_DECISIONS, ...changed }),
    ),
    withEachCollection(withAnyBody(control)),
  ]);
  const checks = checksOf(service, control);
  const filled = { useDefaults: true };
  const converted = { ...filled, coerceTypes: true };
  const kinds: Record<string, readonly string[]> = {
    requests: [
      code(judging({ ...converted, allErrors: true }), requests),
      code(judging({ ...filled, allErrors: true }), bodies),
    ],
    hastyRequests: [code(judging(converted), requests), code(judging(filled), bodies)],
    responses: [code(judging({}), [...responses, ...documentedIn(documents)])],
    checks: [code(createCheckingAjv(true, SOURCE), checks)],
    hastyChecks: [code(createCheckingAjv(false, SOURCE), checks)],
  };
  const members = Object.entries(kinds).map(([kind, codes]) => {
    const parts = codes.map((one) => `((exports) => {${one}\nreturn exports;})({})`);
    return `${kind}: () => Object.assign({}, ${parts.join(', ')})`;
  });
  return `(require) => ({${members.join(',\n')}})`;
}

/**
 * What express-openapi-validator compiles for the paths of the document under the default decisions, as
 * the code of a function that takes `require`.
 */
export function compilePaths(service: OpenApiDocument): string {
  const document = documentByDecisions(service, DEFAULT_DECISIONS);
  const paths = Object.keys(document.paths).map((template) => {
    const validators = createValidators(document, template, { meta: false, ...SOURCE });
    const judge = createJudge(document, () => validators);
    for (const [method, { schema, responses }] of Object.entries(validators.operations)) {
      const body = schema.requestBody ? {} : undefined;
      judge.request({ template, method }, { path: {}, query: {}, body }, false);
      responses();
    }
    const parts = Object.entries(validators.compilers).map(([part, ajv]) => {
      const codes = Object.keys(ajv.schemas).map(
        (key) =>
          `${JSON.stringify(key)}: ${expressionOf(standalone.default(ajv, ajv.getSchema(key)))}`,
      );
      return `${part}: {${codes.join(',\n')}}`;
    });
    return `${JSON.stringify(validators.digest)}: () => ({${parts.join(',\n')}})`;
  });
  return `(require) => ({${paths.join(',\n')}})`;
}

/** What a module of Ajv exports, without its schemas, which no validator reads. */
function expressionOf(module: string): string {
  // Otherwise esbuild would wrap it as a module, and keep all of it.
  const text = module.replaceAll('module.exports', 'made');
  const { code } = transformSync(text, { format: 'iife', treeShaking: true, minify: true });
  return `((made) => {${code}return made; })()`;
}

function partsOf(documents: readonly OpenApiDocument[]) {
  const found = { requests: [], bodies: [], responses: [] } as Record<
    'requests' | 'bodies' | 'responses',
    Compiled[]
  >;
  for (const document of documents) {
    const add = (to: Compiled[], part: JudgedPart | undefined) => {
      if (!part || to.some(({ name }) => name === part.name)) return;
      to.push({ name: part.name, schema: { ...part.schema, components: document.components } });
    };
    for (const [template, item] of Object.entries(document.paths)) {
      for (const method of METHODS.filter((one) => item?.[one])) {
        const parts = judgedParts(document, { template, method: method.toUpperCase() });
        add(found.requests, parts.parameters);
        add(found.bodies, parts.body);
        add(found.responses, parts.success);
      }
    }
  }
  return found;
}

function documentedIn(documents: readonly OpenApiDocument[]): readonly Compiled[] {
  const found = documents.flatMap(({ paths, components = {} }) =>
    Object.values(paths)
      .flatMap((item) =>
        METHODS.flatMap((method) => Object.values(item?.[method]?.responses ?? {})),
      )
      .flatMap((one) => Object.values(followReference(one, { components })?.content ?? {}))
      .flatMap(({ schema }) => (schema ? [{ schema, components }] : [])),
  );
  const byName = found.map(({ schema, components }) => {
    const name = documentedName(schema, components);
    return [name, { name, schema: { ...schema, components } }] as const;
  });
  return [...new Map(byName).values()];
}

/** Every schema that the checks of records compile. */
function checksOf(service: OpenApiDocument, control: OpenApiDocument): readonly Compiled[] {
  const found: Compiled[] = [];
  const schemas = control.components?.schemas ?? {};
  const checks = createRecordChecks(
    service.components?.schemas ?? {},
    () => schemas,
    service.paths,
    (name, schema) => {
      found.push({ name, schema });
      return Object.assign(() => true, { schema, schemaEnv: {} }) as never;
    },
  );
  checks.fixture({});
  checks.scenario({});
  checks.accounts({});
  checks.stub({});
  checks.stubs([]);
  for (const name of RESOURCE_NAMES) checks.record(name, {});
  for (const name of checkedSchemas(control)) {
    checks.value(name, {});
    const { discriminator } = membersOf(membersOf(schemas)[name]);
    const { propertyName, mapping } = membersOf(discriminator);
    for (const tag of Object.keys(membersOf(mapping))) {
      checks.value(name, { [String(propertyName)]: tag });
    }
  }
  return found;
}

const LOCAL = /"\$ref":"#\//g;

/** The code for the schemas; those that refer to the same components share these validators. */
function code(ajv: Ajv, compiled: readonly Compiled[]): string {
  const ids = new Map<string, string>();
  for (const { name, schema } of compiled) {
    const { components, ...own } = JSON.parse(JSON.stringify(schema, withoutProse));
    const { schemas } = components;
    const text = JSON.stringify(schemas);
    const id = ids.get(text) ?? `components:${ids.size}`;
    if (!ids.has(text)) ajv.addSchema({ $id: id, components: { schemas } });
    ids.set(text, id);
    ajv.addSchema(JSON.parse(JSON.stringify(own).replaceAll(LOCAL, `"$ref":"${id}#/`)), name);
  }
  return standalone.default(ajv, Object.fromEntries(compiled.map(({ name }) => [name, name])));
}

/** Drops what no error shows: descriptions, and any example but a short object. */
function withoutProse(this: object, name: string, value: unknown): unknown {
  if (!('type' in this || '$ref' in this)) return value;
  const isLong = name === 'example' && JSON.stringify(value).length > MAX_EXAMPLE_LENGTH;
  return (name === 'description' && typeof value === 'string') || isLong ? undefined : value;
}

/** The longest example that `such as {…}` shows, in characters with the braces. */
const MAX_EXAMPLE_LENGTH = 62;
