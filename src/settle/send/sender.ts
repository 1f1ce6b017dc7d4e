import { randomUUID } from 'node:crypto';
import { realTimeMs } from '../../http/real-time.js';
import type { OpenApiDocument } from '../../openapi/route-table.js';
import { describeExchange } from '../evidence.js';
import type { Call, Exchange } from '../exchange.js';
import type { Ask } from '../probes/probe.js';
import { CallFailed } from './call-failed.js';
import { createPace, type Pace, type PaceOptions } from './pace.js';
import { redirectOf } from './redirect.js';
import { waitOf } from './retry-after.js';
import type { Target } from './target.js';
import { createTransport, type OutgoingRequest, type TransportOptions } from './transport.js';
import { type Allowed, createWriteRequest } from './write-request.js';

/** Sends the requests of a run. */
export interface Sender {
  readonly ask: Ask;
  /** Every exchange until now, those that tell nothing included. */
  readonly exchanges: readonly Exchange[];
  readonly requests: () => number;
  /** Why the run was broken off, as a clause; undefined if it was not. */
  readonly brokenOff: () => string | undefined;
  /** Whether any call was answered so that it tells something. */
  readonly hasAnswers: () => boolean;
}

/** What a sender is created from. */
export interface SenderOptions extends PaceOptions, TransportOptions, Allowed {
  readonly document: OpenApiDocument;
  readonly target: Target;
  readonly token: string;
}

const MOST_FAILURES_IN_A_ROW = 3;
const MOST_REDIRECTS = 5;
const MOST_WAITS = 5;

/** Creates a sender for one run. */
export function createSender(options: SenderOptions): Sender {
  const exchanges: Exchange[] = [];
  const pace = createPace(options);
  const tokens = { given: options.token, 'made-up': `made-up-${randomUUID()}` };
  const write = createWriteRequest(options.document, options.target, tokens, options);
  const exchange = createExchanging(options, pace, exchanges);
  let failuresInARow = 0;
  let brokenOff: string | undefined;
  let hasAnswers = false;

  function note({ consequence, message }: CallFailed): void {
    if (consequence === 'breaks-off') brokenOff = message;
    if (consequence === 'counted') failuresInARow += 1;
    if (failuresInARow < MOST_FAILURES_IN_A_ROW) return;
    brokenOff ??= `${MOST_FAILURES_IN_A_ROW} requests in a row failed, the last: ${message}`;
  }

  return {
    exchanges,
    requests: pace.requests,
    brokenOff: () => brokenOff,
    hasAnswers: () => hasAnswers,
    async ask(asked) {
      if (brokenOff !== undefined) throw new CallFailed(brokenOff, 'none');
      const call: Call = { path: {}, query: [], token: 'given', ...asked };
      try {
        const answered = await exchange(call, write(call));
        failuresInARow = 0;
        hasAnswers = true;
        return answered;
      } catch (error) {
        if (error instanceof CallFailed) note(error);
        throw error;
      }
    },
  };
}

/** Creates what sends a call until there is an answer to it, and refuses what tells nothing. */
function createExchanging(options: SenderOptions, pace: Pace, exchanges: Exchange[]) {
  const transport = createTransport(options);
  let isTokenAccepted = false;

  async function sendOnce(call: Call, request: OutgoingRequest): Promise<Exchange> {
    await pace.turn();
    const sentAtMs = realTimeMs();
    const exchange = { call, answer: await transport(request, call), sentAtMs };
    exchanges.push(exchange);
    return exchange;
  }

  async function send(call: Call, request: OutgoingRequest, waits = 0): Promise<Exchange> {
    const exchange = await sendOnce(call, request);
    if (exchange.answer.status !== 429 || waits === MOST_WAITS) return exchange;
    await pace.wait(waitOf(exchange, waits));
    return send(call, request, waits + 1);
  }

  return async (call: Call, first: OutgoingRequest): Promise<Exchange> => {
    let request = first;
    let exchange = await send(call, request);
    for (let hops = 0; ; hops += 1) {
      const url = redirectOf(exchange, request);
      if (url === undefined) break;
      if (hops === MOST_REDIRECTS) throw failure(exchange, 'redirected too often', 'none');
      request = { ...request, url };
      exchange = await send(call, request);
    }
    refuseUntelling(exchange, isTokenAccepted);
    if (call.token === 'given') isTokenAccepted = true;
    return exchange;
  };
}

/** Throws for an answer that says nothing of the request itself. */
function refuseUntelling(exchange: Exchange, isTokenAccepted: boolean): void {
  const { call, answer } = exchange;
  const isTokenRefused = call.token === 'given' && [401, 403].includes(answer.status);
  if (isTokenRefused && !isTokenAccepted) {
    throw failure(exchange, 'the token was refused', 'breaks-off');
  }
  // A token may lack a permission, but a 401 means that it has expired.
  if (isTokenRefused) {
    throw failure(exchange, 'refused', answer.status === 401 ? 'counted' : 'none');
  }
  if (answer.status === 429) throw failure(exchange, 'too many requests', 'counted');
  if (answer.status >= 500) throw failure(exchange, undefined, 'counted');
}

function failure(
  exchange: Exchange,
  told: string | undefined,
  consequence: CallFailed['consequence'],
): CallFailed {
  return new CallFailed(describeExchange(exchange, told), consequence);
}
