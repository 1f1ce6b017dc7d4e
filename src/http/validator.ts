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
      // It changes the document it is given.
      apiSpec: structuredClone(document),
      // The gate checks the documents: a mistake in them is one of the package, not of the user.
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: true,
      validateSecurity: false,
      fileUploader: false,
    }),
  );
  return router;
}
