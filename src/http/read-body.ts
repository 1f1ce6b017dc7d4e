import express, { type Request, type RequestHandler } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ProblemError } from '../billing/problems.js';
import { exchangeOf } from './exchange.js';

/** The largest body that is read, in bytes: 10 MB. */
const LARGEST_BODY = 10 * 1024 * 1024;

const parseJson = express.json({ limit: LARGEST_BODY, strict: false, type: () => true });

/** Reads the body of an operation that has one, and only then; refuses other media types first. */
export const readBody: RequestHandler = (request, response, next) => {
  const body = exchangeOf(response).route?.operation.requestBody as
    | OpenAPIV3.RequestBodyObject
    | undefined;
  if (!body) {
    // The validator compiles its schemas anew for every media type that it meets, and keeps them.
    delete request.headers['content-type'];
    return next();
  }
  refuseMissingBody(request);
  const mediaType = refuseOtherMediaTypes(request, Object.keys(body.content));
  parseJson(request, response, (error?: unknown) => {
    request.headers['content-type'] = mediaType;
    next(error);
  });
};

function refuseMissingBody({ headers }: Request): void {
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody) return;
  throw new ProblemError(
    'missing-body',
    'No body was received; expected a JSON object. Send one, with its Content-Length.',
    { decision: 'invalid-request-status' },
  );
}

/** Returns the media type of the body, without parameters. */
function refuseOtherMediaTypes(request: Request, expected: readonly string[]): string {
  const received = request.headers['content-type'];
  const mediaType = received?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (expected.includes(mediaType)) return mediaType;
  const was = received ? `The body was sent as '${received}'` : 'The body was sent without a type';
  throw new ProblemError(
    'unsupported-media-type',
    `${was}; expected '${expected.join("' or '")}'. Set the Content-Type header.`,
  );
}
