import { CallError, type Schemas, send } from './call.js';

/** The state of the stream; `refused` after a 403, as when this tab lacks the control token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

const RETRY_MS = 1_000;

/** Follows all requests and reconnects, until aborted or refused with 403. */
export async function followRequests(
  signal: AbortSignal,
  onConnection: (connection: Connection, reason?: string) => void,
  onBatch: (batch: Schemas['RequestBatch']) => void,
): Promise<void> {
  const query = { of: 'all', responses: 'true' };
  while (!signal.aborted) {
    try {
      const response = await send('/requests/stream', { query, signal });
      onConnection('live');
      for await (const batch of batchesIn(response)) onBatch(batch);
      onConnection('lost');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && error.status === 403)
        return onConnection('refused', error.message);
      onConnection('lost');
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** The data of server-sent events. */
async function* batchesIn(response: Response): AsyncGenerator<Schemas['RequestBatch']> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return;
    const events = (text + decoder.decode(piece.value, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice('data: '.length));
    }
  }
}
