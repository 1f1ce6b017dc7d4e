import type { Express, RequestHandler, Response } from 'express';
import type { Journal } from '../../accounts/journal/journal.js';
import { type NotedAnswer, noteOfAnswer } from '../../accounts/journal/journal-request.js';
import { exchangeOf } from './exchange.js';

/** A longer body of an answer is not kept. */
const LARGEST_ANSWER = 2 ** 20;

/** Keeps the answer in the journal of its account, or of the server, while that is wanted. */
export function captureAnswers(
  { response: shared }: Pick<Express, 'response'>,
  serverJournal: Journal,
  isWanted: () => boolean,
): RequestHandler {
  collectBodies(shared);
  return (request, response, next) => {
    if (!isWanted()) return next();
    const body = new CollectedBody();
    const exchange = exchangeOf(response);
    if (request.method !== 'HEAD') exchange.sent = body;
    response.once('close', () => {
      const { account, noted } = exchange;
      if (!noted || !response.headersSent) return;
      const answer = { headerLines: headerLinesOf(response), ...body.note() };
      (account?.journal ?? serverJournal).noteAnswer(noted, answer);
    });
    next();
  };
}

/**
 * Collects what is written to certain responses of an app. The methods are replaced once, in what all
 * of its responses inherit: to replace them for each response makes every request slower.
 */
function collectBodies(shared: Response): void {
  for (const name of ['write', 'end'] as const) {
    shared[name] = function (this: Response, ...args: unknown[]) {
      exchangeOf(this).sent?.add(args);
      return Reflect.apply(Object.getPrototypeOf(shared)[name], this, args);
    };
  }
}

/** What has been written of a body so far. */
class CollectedBody {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  /** Adds what `write` or `end` was called with. */
  add([piece, encoding]: readonly unknown[]): void {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return;
    const given = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
    const bytes = typeof piece === 'string' ? Buffer.from(piece, given) : Buffer.from(piece);
    this.#bytes += bytes.length;
    if (this.#bytes <= LARGEST_ANSWER) this.#pieces.push(bytes);
  }

  /** The body as the journal keeps it. */
  note(): Omit<NotedAnswer, 'headerLines'> {
    const bytes = this.#bytes;
    if (bytes > LARGEST_ANSWER) return { bytes };
    const [first, ...others] = this.#pieces;
    const whole = first && others.length === 0 ? first : Buffer.concat(this.#pieces);
    return { bytes, ...noteOfAnswer(whole) };
  }
}

function headerLinesOf(response: Response): string {
  const lines: string[] = [];
  for (const name of response.getHeaderNames()) {
    for (const value of [response.getHeader(name)].flat()) lines.push(name, String(value));
  }
  return lines.join('\n');
}
