import { get, type IncomingMessage } from 'node:http';
import type { Call, Outcome } from '../server/call.js';
import { Finding, refuseOtherTokens } from './finding.js';
import { BOUND_MS } from './target.js';

/** A stream of requests that goes on while others are made. */
export interface FollowedStream {
  /** How it began, or how it was refused. */
  readonly outcome: Outcome;
  /** Throws a `Finding` if it is no stream of events, or has shown another account. */
  check(token: string): void;
  leave(): void;
}

/** Follows a stream; throws a `Finding` if nothing comes. */
export function followStream(url: string, { path, headers = {} }: Call): Promise<FollowedStream> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const nothing = new Finding('a stream that begins', 'nothing');
    const timer = setTimeout(() => reject(nothing), BOUND_MS);
    const sent = get({ hostname, port, path, headers, agent: false }, (response) => {
      let text = '';
      const begun = () => {
        clearTimeout(timer);
        const { statusCode: status = 0, headers } = response;
        const outcome = { status, headers, text, durationMs: 0 };
        resolve({
          outcome,
          check: (token) => check(response, text, token),
          leave: () => response.destroy(),
        });
      };
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (response.statusCode === 200) begun();
      });
      response.on('error', () => undefined).once('end', begun);
    });
    sent.on('error', ({ message }) => reject(new Finding('a stream that begins', message)));
  });
}

function check(response: IncomingMessage, text: string, token: string): void {
  if (response.statusCode !== 200) return;
  const mediaType = String(response.headers['content-type']);
  if (!mediaType.startsWith('text/event-stream')) throw new Finding('text/event-stream', mediaType);
  refuseOtherTokens(text, token);
  // The last one may not have come whole.
  for (const event of text.split('\n\n').slice(0, -1)) {
    if (event.startsWith(':')) continue;
    const [, data] = /^event: requests\ndata: (.*)$/s.exec(event) ?? [];
    if (isJson(data)) continue;
    throw new Finding('an event of requests with JSON', event.slice(0, 1_000));
  }
}

function isJson(text = ''): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
