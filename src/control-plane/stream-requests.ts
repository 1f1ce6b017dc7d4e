import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import type { Journal } from '../accounts/journal/journal.js';
import type { RequestFeed, RequestFollower } from '../accounts/journal/request-feed.js';
import { ProblemError } from '../errors/problem-error.js';
import { createStep } from '../http/pipeline/exchange.js';
import {
  clearInterval,
  clearTimeout,
  elapsedMs,
  setInterval,
  setTimeout,
} from '../http/real-time.js';

/** The operation that streams requests. */
export const STREAM = 'streamRequests';

/** The time from one event to the next, at least. */
const EVENT_INTERVAL_MS = 250;
/** What connections are kept alive by. */
const HEARTBEAT_MS = 15_000;

/** Dependencies of the stream. */
interface StreamParts {
  readonly feed: RequestFeed;
  /** The requests that reached no account. */
  readonly journal: Journal;
}

/** How many streams are open at most: each holds up to a megabyte that its client has not read. */
const MOST_STREAMS = 100;

/** Does what it is given once other requests, and what it was given before, have had their turn. */
type InTurn = (act: () => void) => void;

/** Streams requests as server-sent events until the client leaves; passes on any other operation. */
export function streamRequests({ feed, journal: serverJournal }: StreamParts) {
  let last: Promise<void> = Promise.resolve();
  const inTurn: InTurn = (act) => {
    last = last.then(() => setImmediate()).then(act);
  };
  return createStep(['route'], (exchange, { query }, response, next) => {
    if (exchange.route.operationId !== STREAM) return next();
    // Following the stream does not count as use: the account may still be closed as idle.
    delete exchange.token;
    const all = query.of === 'all' ? 'all' : serverJournal;
    if (feed.size >= MOST_STREAMS) {
      throw new ProblemError(
        'conflict',
        `The mock has ${MOST_STREAMS} open streams of requests, the maximum; expected fewer. Close some, or follow all accounts in one, with of=all.`,
      );
    }
    response.setHeader('Content-Type', 'text/event-stream');
    // Otherwise the connection would stay open when the stream ends, and a stop would wait for it.
    response.setHeader('Connection', 'close');
    if (exchange.method === 'HEAD') return void response.end();
    const follow = feed.follow.bind(feed, exchange.account?.journal ?? all);
    send(response, follow, inTurn, String(query.answers) === 'true');
  });
}

/** Sends what a follower of the feed is shown, no faster than it is read. */
function send(
  response: Response,
  follow: (calls: Parameters<RequestFeed['follow']>[1]) => RequestFollower,
  inTurn: InTurn,
  wantsAnswers: boolean,
): void {
  let timer: NodeJS.Timeout | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let isWaited = false;
  let hasNews = false;
  const noteNews = () => {
    hasNews = true;
    if (timer !== undefined || isWaited) return;
    const waitMs = Math.max(0, sentAtMs + EVENT_INTERVAL_MS - elapsedMs());
    timer = setTimeout(() => inTurn(sendNews), waitMs).unref();
  };
  const write = (text: string) => {
    isWaited = !response.write(text);
  };
  const end = () => response.end();
  const follower = follow({ wantsAnswers, noteNews, end });
  function sendNews(): void {
    if (response.writableEnded || response.closed) return;
    timer = undefined;
    hasNews = false;
    sentAtMs = elapsedMs();
    write(`event: requests\ndata: ${JSON.stringify(follower.take())}\n\n`);
  }
  const heartbeat = setInterval(() => {
    if (!isWaited) write(':\n\n');
  }, HEARTBEAT_MS).unref();
  response.on('drain', () => {
    isWaited = false;
    if (hasNews) noteNews();
  });
  response.once('close', () => {
    follower.leave();
    clearInterval(heartbeat);
    clearTimeout(timer);
  });
  write(': The requests follow as they come.\n\n');
}
