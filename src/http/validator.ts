import { type RequestHandler, Router } from 'express';
import { middleware } from 'express-openapi-validator';
import { exchangeOf } from './exchange.js';
import { compileDocumentCheckLate } from './lazy-document-check.js';
import type { OpenApiDocument } from './route-table.js';

/**
 * The validator of a document: refuses requests that break it, and answers that leave by
 * `res.json` and break it. Authentication and media types are settled before, and so is the path.
 * What a path takes is made when it is first called: the validator compiles the pattern of every
 * path that it tries, at each request anew, and a document of one path leaves it one to try.
 */
export function createValidator(document: OpenApiDocument): RequestHandler {
  compileDocumentCheckLate();
  const text = JSON.stringify(document, withoutExamples);
  const validators = new Map<string, RequestHandler>();
  return (request, response, next) => {
    const template = exchangeOf(response).route?.template ?? '';
    const validator = validators.get(template) ?? createPathValidator(text, template);
    validators.set(template, validator);
    validator(request, response, next);
  };
}

function createPathValidator(text: string, template: string): RequestHandler {
  // A copy, for it changes the document that it is given.
  const { paths, ...document } = JSON.parse(text) as OpenApiDocument;
  const path = paths[template];
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    middleware({
      apiSpec: { ...document, paths: path ? { [template]: path } : {} },
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

/** Nothing is validated by examples, and their ids would be taken for schemas'. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === 'example' ? undefined : value;
}
