import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ProblemError } from '../billing/problems.js';
import { exchangeOf } from './exchange.js';

/** Reads the body of an operation that has one, and only then; refuses other media types first. */
export function readBody(largestBytes: number): RequestHandler {
  const parseJson = express.json({
    limit: largestBytes,
    strict: false,
    type: () => true,
    verify(_request, response, bytes) {
      // Chunked or compressed, a body can turn out to be empty; the parser would make it `{}`.
      if (bytes.length === 0) throw missingBody();
      const { account, noted } = exchangeOf(response as Response);
      if (account && noted) account.journal.noteBody(noted, bytes);
    },
  });

  return (request, response, next) => {
    const body = exchangeOf(response).route?.operation.requestBody as
      | OpenAPIV3.RequestBodyObject
      | undefined;
    if (!body || (body.required !== true && !hasBody(request))) {
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
}

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
