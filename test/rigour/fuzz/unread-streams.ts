import { connect } from 'node:net';
import fc from 'fast-check';
import { callTo } from './calls.js';
import { callOf } from './play-calls.js';
import type { Target } from './target.js';

/** Streams that nobody reads, and the requests that they are told of. */
interface UnreadPlan {
  readonly streams: number;
  readonly query: string;
  readonly requests: number;
  readonly characters: number;
}

export function unreadPlans(): fc.Arbitrary<UnreadPlan> {
  return fc.record({
    streams: fc.integer({ min: 1, max: 100 }),
    query: fc.constantFrom('of=all', 'of=all&responses=true'),
    requests: fc.integer({ min: 1, max: 150 }),
    characters: fc.integer({ min: 1, max: 16_000 }),
  });
}

/** What all streams and the journal hold at most, with what they are written in. */
const MOST_BYTES = 112 * 2 ** 20;

/** Demands that the memory that the streams take is bounded, and that health is well meanwhile. */
export async function playUnread(target: Target, plan: UnreadPlan): Promise<void> {
  await target.clean();
  const { hostname, port } = new URL(target.command.url);
  const { heapUsed } = await target.command.measure();
  const token = target.newToken();
  const sockets = Array.from({ length: plan.streams }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    const line = `GET /__control/requests/stream?${plan.query} HTTP/1.1`;
    socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return socket;
  });
  try {
    // In JSON, each of these has six characters.
    const body = '\u0001'.repeat(plan.characters);
    const call = callOf({ ...callTo('deleteEventsByRefs'), body }, { token });
    for (let nth = 0; nth < plan.requests; nth += 1) {
      await target.send(call);
      if (nth % 20 === 0) await target.checkAlive();
    }
    await target.checkHeap(heapUsed, MOST_BYTES);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
