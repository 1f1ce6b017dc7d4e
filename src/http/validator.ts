import { type RequestHandler, Router } from 'express';
import { middleware } from 'express-openapi-validator';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import type { OpenApiDocument } from './route-table.js';

/**
 * The validator of a document: refuses requests that break it, and answers that leave by
 * `res.json` and break it. Authentication and media types are settled before.
 */
export function createValidator(document: OpenApiDocument): RequestHandler {
  compileDocumentCheckLate();
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    middleware({
      // A copy, for it changes the document that it is given.
      apiSpec: withoutExamples(document),
      // The gate checks the documents: a mistake in them is one of the package, not of the user.
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: true,
      validateSecurity: false,
      fileUploader: false,
      // Otherwise it compiles the whole document once for each reference that it follows.
      $refParser: { mode: 'dereference' },
    }),
  );
  return router;
}

/** A copy without examples: nothing is validated by them, and their ids would be taken for schemas'. */
function withoutExamples(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (name, value) => (name === 'example' ? undefined : value));
  return JSON.parse(text) as OpenApiDocument;
}
