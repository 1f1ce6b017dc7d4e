import { CallError, type Schemas, send } from './call.js';

/**
 * The state of the stream; `silent` if nothing came for a while, and `refused` after a 403, as when
 * this tab lacks the control token.
 */
export type Connection = 'connecting' | 'live' | 'silent' | 'lost' | 'refused';

const RETRY_MS = 1_000;
/** After this long without a word from the mock, which sends one every 3 s, the page says so. */
export const SILENCE_MS = 10_000;

/** Follows all requests and reconnects, until aborted or refused with 403. */
export async function followRequests(
  signal: AbortSignal,
  onConnection: (connection: Connection, reason?: string) => void,
  onBatch: (batch: Schemas['RequestBatch']) => void,
): Promise<void> {
  const query = { of: 'all', responses: 'true' };
  while (!signal.aborted) {
    const silence = createSilence();
    try {
      const either = AbortSignal.any([signal, silence.signal]);
      const response = await send('/requests/stream', { query, signal: either });
      onConnection('live');
      for await (const batch of batchesIn(response, silence.noteWord)) onBatch(batch);
      onConnection('lost');
    } catch (error) {
      if (signal.aborted) return;
      // The connection may be dead, as after the laptop slept: only another one shows.
      if (silence.signal.aborted) {
        onConnection('silent');
        continue;
      }
      if (error instanceof CallError && error.status === 403)
        return onConnection('refused', error.message);
      onConnection('lost');
    } finally {
      silence.end();
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** A signal that aborts once nothing has been noted for a while. */
function createSilence() {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const noteWord = () => {
    end();
    timer = setTimeout(() => ending.abort(), SILENCE_MS);
  };
  noteWord();
  return { signal: ending.signal, noteWord, end };
}

/** The data of server-sent events. */
async function* batchesIn(
  response: Response,
  noteWord: () => void,
): AsyncGenerator<Schemas['RequestBatch']> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  for (;;) {
    const piece = await reader?.read();
    noteWord();
    if (piece === undefined || piece.done) return;
    const events = (text + decoder.decode(piece.value, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice('data: '.length));
    }
  }
}
