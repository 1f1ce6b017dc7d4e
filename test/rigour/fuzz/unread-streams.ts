import { connect } from 'node:net';
import fc from 'fast-check';
import { callOf, callTo } from './calls.js';
import { kind } from './kind.js';

const MB = 2 ** 20;
/** How many requests are made at once. */
const AT_ONCE = 15;
/** How much journals take, and the mock itself needs. */
const OTHER_BYTES = 16 * MB;

/** Streams that nobody reads, whose memory must be bounded, while health checks must succeed. */
export const streams = kind(
  1,
  fc.record({
    streams: fc.constantFrom(2, 10, 100),
    query: fc.constantFrom('of=all', 'of=all&responses=true'),
    requests: fc.integer({ min: 100, max: 400 }),
    characters: fc.integer({ min: 12_000, max: 16_000 }),
  }),
  async (target, plan) => {
    await target.clean();
    const { hostname, port } = new URL(target.command.url);
    const bytesBefore = await target.heldBytes();
    const token = target.newToken();
    const sockets = Array.from({ length: plan.streams }, () => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined);
      const line = `GET /__control/requests/stream?${plan.query} HTTP/1.1`;
      socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      return socket;
    });
    try {
      // JSON escapes each of these with six characters.
      const body = '\u0001'.repeat(plan.characters);
      const call = callOf({ ...callTo('deleteEventsByRefs'), body }, { token });
      for (let sent = 0; sent < plan.requests; sent += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => target.send(call)));
        await target.checkAlive();
      }
      const mostOfStreams = Math.min(64 * MB, 2 * MB * plan.streams);
      await target.checkHeld(bytesBefore, mostOfStreams + OTHER_BYTES);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
);
