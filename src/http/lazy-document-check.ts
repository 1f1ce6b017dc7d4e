import { createRequire } from 'node:module';

/** What checks a document against the schema of OpenAPI. */
interface DocumentCheck {
  validate(document: unknown): unknown;
}

type DocumentCheckClass = new (options: object) => DocumentCheck;

/** The file within the validator that has the class, and the name under which it has it. */
const FILE = 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
const NAME = 'OpenAPISchemaValidator';

/**
 * Lets the validator compile the schema of OpenAPI when a document is checked against it, and not
 * for every document: it costs 0.2 s, and ours is checked before it is shipped. Who does ask for the
 * check gets it as before. Changes nothing where the inside of the validator is not the known one.
 */
export function compileDocumentCheckLate(): void {
  const inside = requireInside();
  const Original = inside?.[NAME];
  if (!inside || !Original?.prototype?.validate || 'isLate' in Original) return;
  inside[NAME] = class implements DocumentCheck {
    static readonly isLate = true;
    readonly #options: object;

    constructor(options: object) {
      this.#options = options;
    }

    validate(document: unknown): unknown {
      return new Original(this.#options).validate(document);
    }
  };
}

function requireInside(): Record<string, DocumentCheckClass> | undefined {
  try {
    return createRequire(import.meta.url)(FILE) as Record<string, DocumentCheckClass>;
  } catch {
    return undefined;
  }
}
