import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Journal } from '../../../accounts/journal/journal.js';
import { exchangeOf } from '../exchange.js';
import { malformedText, parseBody } from '../read-body.js';

/** Reads the bytes of the body, if there is one, for whatever answers the call; notes it. */
export function readSentBody(journal: Journal, largestBytes: number): RequestHandler {
  return express.raw({
    limit: largestBytes,
    type: () => true,
    verify(_request, response, bytes) {
      const { account, noted } = exchangeOf(response as Response);
      if (noted) (account?.journal ?? journal).noteBody(noted, bytes);
    },
  });
}

/**
 * Puts what the bytes of the body mean in their place: JSON, or the fields of a form; an object
 * without members for any other media type, and for no body.
 */
export async function parseSentBody(request: Request): Promise<void> {
  const bytes: unknown = request.body;
  const [beginning = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const mediaType = beginning.trim();
  const isJson = /^application\/(.*\+)?json$/.test(mediaType);
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  if (!Buffer.isBuffer(bytes) || bytes.length === 0 || !(isJson || isForm)) {
    request.body = {};
    return;
  }
  if (!isUtf8(bytes)) throw malformedText();
  if (isJson) await parseBody(request);
  else request.body = Object.fromEntries(new URLSearchParams(bytes.toString()));
}
