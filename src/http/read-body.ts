import express, { type NextFunction, type Request, type RequestHandler } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ProblemError } from '../billing/problems.js';
import { exchangeOf } from './exchange.js';

/** The largest body that is read, in bytes: 10 MB. */
const LARGEST_BODY = 10 * 1024 * 1024;

const parseJson = express.json({
  limit: LARGEST_BODY,
  strict: false,
  type: () => true,
  // Chunked or compressed, a body can turn out to be empty; the parser would make it `{}`.
  verify: (_request, _response, bytes) => {
    if (bytes.length === 0) throw missingBody();
  },
});

/** Reads the body of an operation that has one, and only then; refuses other media types first. */
export const readBody: RequestHandler = (request, response, next) => {
  const body = exchangeOf(response).route?.operation.requestBody as
    | OpenAPIV3.RequestBodyObject
    | undefined;
  if (!body) {
    // The validator compiles its schemas anew for every media type that it meets, and keeps them.
    delete request.headers['content-type'];
    return passOverBody(request, next);
  }
  if (!hasBody(request)) throw missingBody();
  const mediaType = refuseOtherMediaTypes(request, Object.keys(body.content));
  parseJson(request, response, (error?: unknown) => {
    request.headers['content-type'] = mediaType;
    next(error);
  });
};

function hasBody({ headers }: Request): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

function missingBody(): ProblemError {
  return new ProblemError(
    'missing-body',
    'No body was received; expected a JSON object. Send one, with its Content-Length.',
    { decision: 'invalid-request-status' },
  );
}

/** Waits for the end of a body that nobody wants: a request that breaks off must change nothing. */
function passOverBody(request: Request, next: NextFunction): void {
  if (hasBody(request) && !request.readableEnded) request.once('end', () => next()).resume();
  else next();
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
