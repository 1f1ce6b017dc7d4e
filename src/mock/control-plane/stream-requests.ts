import { ProblemError } from '../../core/errors/problem-error.js';
import type { Followers, Journal } from '../accounts/journal/journal.js';
import { type Batch, RequestFollower } from '../accounts/journal/stream-backlog.js';
import {
  type DocumentedExchange,
  type Exchange,
  requireParts,
  type Step,
} from '../service/exchange.js';
import { respond } from '../service/respond.js';
import { calledRoute } from './control-document.js';

export const STREAM = 'GET /requests/stream';

/** The shortest time from one event to the next. */
const EVENT_INTERVAL_MS = 250;
/** How often a stream without events sends a comment, which shows that the mock responds. */
const HEARTBEAT_MS = 3_000;

const MAX_STREAMS = 100;

interface StreamParts {
  readonly followers: Followers;
  /** The journal of the server: the requests that reached no account. */
  readonly journal: Journal;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // What compresses would hold the events back until there is enough to compress; nginx, too.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // Otherwise the connection would outlive the stream, and stopping the mock would wait for it.
  Connection: 'close',
};

export function streamRequests({
  followers,
  journal: serverJournal,
}: StreamParts): Step<DocumentedExchange> {
  let last: Promise<unknown> = Promise.resolve();
  return (exchange) => {
    if (calledRoute(exchange) !== STREAM) return;
    const { query } = exchange.called.input;
    // Following the stream does not count as use: the account may still be closed as idle.
    exchange.token = undefined;
    const streams = [...followers].filter((one) => one instanceof RequestFollower);
    if (streams.length >= MAX_STREAMS) {
      throw new ProblemError(
        'conflict',
        `The mock already has ${MAX_STREAMS} open request streams, which is the maximum. Close some, or follow all accounts in a single stream with ?of=all.`,
      );
    }
    if (exchange.request.method === 'HEAD') return respond(exchange, 200, HEADERS);
    const all = query.of === 'all' ? 'all' : serverJournal;
    const news = new News(exchange);
    const follower = new RequestFollower({
      journal: exchange.account?.journal ?? all,
      wantsResponses: String(query.responses) === 'true',
      noteNews: () => news.note(),
      end: () => news.end(),
    });
    followers.add(follower);
    /** Streams take turns, because each event takes some milliseconds to write. */
    const takeTurn = () => {
      last = last.then(() => pause(exchange, 0));
      return last;
    };
    respond(exchange, 200, HEADERS, eventsOf(exchange, follower, news, takeTurn));
    const { response } = requireParts(exchange, 'response');
    exchange.response = {
      ...response,
      end(isDelivered) {
        followers.delete(follower);
        follower.end();
        response.end(isDelivered);
      },
    };
  };
}

async function* eventsOf(
  exchange: Exchange,
  follower: RequestFollower,
  news: News,
  takeTurn: () => Promise<unknown>,
): AsyncGenerator<string, void> {
  const { elapsedMs } = exchange.platform;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  yield ': The requests follow as they arrive.\n\n';
  while (!news.hasEnded) {
    if (!news.isThere && !(await news.arrives(HEARTBEAT_MS))) {
      if (!news.hasEnded) yield ':\n\n';
      continue;
    }
    const waitMs = sentAtMs + EVENT_INTERVAL_MS - elapsedMs();
    if (waitMs > 0) await pause(exchange, waitMs);
    await takeTurn();
    if (news.hasEnded) return;
    news.isThere = false;
    sentAtMs = elapsedMs();
    yield writeEvent(follower.take());
  }
}

function writeEvent({ requests, ...others }: Batch): string {
  const end = JSON.stringify(others).slice(1);
  return `event: requests\ndata: {"requests":[${requests.join(',')}],${end}\n\n`;
}

function pause({ platform }: Exchange, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    platform.later(delayMs, resolve);
  });
}

class News {
  isThere = false;
  hasEnded = false;
  readonly #exchange: Exchange;
  #wake: (() => void) | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  note(): void {
    this.isThere = true;
    this.#wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.#wake?.();
  }

  /** Resolves to true once there is news, to false when the stream ends or the time is up. */
  async arrives(timeoutMs: number): Promise<boolean> {
    await new Promise<void>((resolve) => {
      const cancel = this.#exchange.platform.later(timeoutMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
    return this.isThere && !this.hasEnded;
  }
}
