import type { RequestHandler, Response } from 'express';
import type { Journal } from '../../accounts/journal/journal.js';
import { noteOfAnswer } from '../../accounts/journal/journal-request.js';
import { exchangeOf } from './exchange.js';

/** A longer body of an answer is not kept. */
const LARGEST_ANSWER = 2 ** 20;

/** Keeps the answer in the journal of its account, or of the server, while that is wanted. */
export function captureAnswers(serverJournal: Journal, isWanted: () => boolean): RequestHandler {
  return (request, response, next) => {
    if (!isWanted()) return next();
    const bodyOf = collectBody(response, request.method !== 'HEAD');
    response.once('close', () => {
      const { account, noted } = exchangeOf(response);
      if (!noted || !response.headersSent) return;
      const headerLines = Object.entries(response.getHeaders())
        .flatMap(([name, value]) => [value].flat().map((one) => `${name}\n${one}`))
        .join('\n');
      (account?.journal ?? serverJournal).noteAnswer(noted, { headerLines, ...bodyOf() });
    });
    next();
  };
}

/** Collects what is written of a body. Returns a function for what it is so far. */
function collectBody(response: Response, hasBody: boolean) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = ([chunk, encoding]: readonly unknown[]) => {
    if (!hasBody || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))) return;
    const given = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
    const piece = typeof chunk === 'string' ? Buffer.from(chunk, given) : Buffer.from(chunk);
    bytes += piece.length;
    if (bytes <= LARGEST_ANSWER) chunks.push(piece);
  };
  for (const name of ['write', 'end'] as const) {
    const send = response[name];
    response[name] = (...args: unknown[]) => {
      keep(args);
      return Reflect.apply(send, response, args);
    };
  }
  return () => ({ bytes, ...(bytes <= LARGEST_ANSWER && noteOfAnswer(Buffer.concat(chunks))) });
}
