import inside from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';

/**
 * Lets the validator compile the schema of OpenAPI when a document is checked against it, and not
 * for every document: it costs 0.2 s, and ours are checked before they are shipped. This changes a
 * class of the library for the whole process; whoever asks for the check gets it as before. The
 * version is pinned, since this relies on internals; if they are not the known ones, nothing changes.
 */
export function compileDocumentCheckLate(): void {
  const Original = inside.OpenAPISchemaValidator;
  if (!Original?.prototype?.validate || 'isLate' in Original) return;
  type Options = ConstructorParameters<typeof Original>[0];
  class LateCheck {
    static readonly isLate = true;
    readonly #options: Options;

    constructor(options: Options) {
      this.#options = options;
    }

    validate(document: Parameters<typeof Original.prototype.validate>[0]) {
      return new Original(this.#options).validate(document);
    }
  }
  Object.assign(inside, { OpenAPISchemaValidator: LateCheck });
}
