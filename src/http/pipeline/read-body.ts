import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { ProblemError } from '../../errors/problem-error.js';
import { cut } from '../../messages/received-value.js';
import { hasBody } from '../has-body.js';
import { createStep, exchangeOf } from './exchange.js';
import { parseJson } from './parse-json.js';

/**
 * Reads the body of an operation that has one, and only then; refuses other media types first. The
 * account's journal keeps it, if there is one.
 */
export function readBody({ largestBytes }: { readonly largestBytes: number }): RequestHandler {
  const readBytes = express.raw({
    limit: largestBytes,
    type: () => true,
    verify(_request, response, bytes) {
      // A chunked or compressed body can turn out to be empty.
      if (bytes.length === 0) throw missingBody();
      const { account, noted } = exchangeOf(response as Response);
      if (account && noted) account.journal.noteBody(noted, bytes);
      // Decoding would replace invalid bytes with U+FFFD.
      if (!isUtf8(bytes)) throw malformedText();
    },
  });

  return createStep(['route'], ({ route }, request, response, next) => {
    const body = route.operation.requestBody as OpenAPIV3.RequestBodyObject | undefined;
    if (!body || (body.required !== true && !hasBody(request))) {
      // The validator compiles its schemas again for each media type that it meets, and keeps them.
      delete request.headers['content-type'];
      return skipBody(request, next);
    }
    if (!hasBody(request)) throw missingBody();
    const mediaType = refuseOtherMediaTypes(request, Object.keys(body.content));
    refuseTooLarge(request, largestBytes);
    // Other charsets are refused by now.
    request.headers['content-type'] = mediaType;
    readBytes(request, response, (error?: unknown) => {
      if (error) next(error);
      else parseBody(request).then(() => next(), next);
    });
  });
}

/** Puts the JSON value of the body in the place of its bytes. */
export async function parseBody(request: Request): Promise<void> {
  try {
    request.body = await parseJson(request.body as Buffer);
  } catch (error) {
    throw malformedJson((error as Error).message);
  }
}

function malformedJson(why: string): ProblemError {
  return new ProblemError(
    'malformed-json',
    `The body is not JSON: ${why}. Expected a JSON object; correct the syntax.`,
    { decision: 'invalid-request-status', inShort: 'The body is not JSON.' },
  );
}

function missingBody(): ProblemError {
  return new ProblemError(
    'missing-body',
    'No body was received; expected a JSON object. Send one, with its Content-Length.',
    { decision: 'invalid-request-status' },
  );
}

/** The refusal of a body that is not UTF-8. */
export function malformedText(): ProblemError {
  return new ProblemError(
    'malformed-json',
    'The body is not UTF-8; expected a JSON object in UTF-8 (RFC 8259, section 8.1). Encode it as UTF-8.',
    { decision: 'invalid-request-status' },
  );
}

/** Waits for the end of an unused body: a request that is aborted must change nothing. */
function skipBody(request: Request, next: () => void): void {
  if (hasBody(request) && !request.readableEnded) request.once('end', () => next()).resume();
  else next();
}

/** Returns the media type of the body, without parameters. JSON is UTF-8 (RFC 8259, section 8.1). */
function refuseOtherMediaTypes(request: Request, expected: readonly string[]): string {
  const received = request.headers['content-type'];
  const [mediaType = '', ...parameters] =
    received?.split(';').map((part) => part.trim().toLowerCase()) ?? [];
  const isUtf8 = parameters.every((parameter) => !/^charset=(?!"?(utf-?8)?"?$)/.test(parameter));
  if (expected.includes(mediaType) && isUtf8) return mediaType;
  const was = received
    ? `The body was sent as '${cut(received)}'`
    : 'The body was sent without a type';
  throw new ProblemError(
    'unsupported-media-type',
    `${was}; expected '${expected.join("' or '")}'${isUtf8 ? '' : ' in UTF-8'}. Set the Content-Type header.`,
  );
}

/**
 * Refuses by its Content-Length a body that would be refused once it is read. A chunked one is read
 * to its end first, and thrown away: most clients do not read an answer before they have sent all.
 */
function refuseTooLarge({ headers }: Request, largestBytes: number): void {
  const length = Number(headers['content-length'] ?? 0);
  if (length <= largestBytes) return;
  throw new ProblemError(
    'content-too-large',
    `The body has ${length} bytes; expected at most ${largestBytes} (${largestBytes / 2 ** 20} MB). Send it in several requests.`,
  );
}
