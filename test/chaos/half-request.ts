import { until } from '../support/fetching.js';
import { openSocket, type RawConnection } from '../support/socket.js';

const BODY = '{"refs":["globex-march"]}';
const HEAD = [
  'POST /events/delete-by-refs HTTP/1.1',
  'Host: x',
  'Authorization: Bearer t',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  'Expect: 100-continue',
];

/** A request that stays under way until the rest of its body is sent. */
export interface HalfRequest extends RawConnection {
  /** Sends the rest of the body, and other bytes right behind it. */
  finish(others?: string): void;
}

/** Sends a request without the end of its body; resolves when it is under way. */
export async function openHalfRequest(url: string): Promise<HalfRequest> {
  const connection = openSocket(url, `${HEAD.join('\r\n')}\r\n\r\n`);
  const { socket, received } = connection;
  socket.once('end', () => socket.end());
  await until(() => received().includes('100 Continue'));
  socket.write(BODY.slice(0, 5));
  return { ...connection, finish: (others = '') => socket.write(BODY.slice(5) + others) };
}
