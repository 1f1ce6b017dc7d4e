// The load generator: keep-alive connections over plain sockets, one request at a time on each. It
// reads only a response's status, length and end.
import { connect } from 'node:net';
import { Pace } from './pace.js';

interface Load {
  port: number;
  next(): string | undefined;
  seconds: number;
  connections?: number;
  /** The most requests to send in a second. */
  perSecond?: number;
  leastBytes?: number | undefined;
}

/** Notes a response; returns whether there is time for another request. */
type OnEnd = (response: { status: number; bytes: number }, sentAt: number) => boolean;

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/**
 * Sends requests for some seconds, or until `next` returns no more. With `perSecond` it sends them
 * at that rate, and times a request that has to wait for a connection from when it was due. Throws
 * if a response is not a 200, or is shorter than `leastBytes`.
 */
export async function load({
  port,
  next,
  seconds,
  connections = 10,
  leastBytes = 0,
  perSecond,
}: Load) {
  const timesMs: number[] = [];
  let bytes = 0;
  const pace = perSecond === undefined ? undefined : new Pace(perSecond);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  function onEnd(response: { status: number; bytes: number }, sentAt: number) {
    const now = performance.now();
    if (response.status !== 200 || response.bytes < leastBytes) {
      throw new Error(
        `response ${timesMs.length + 1} of the load was ${response.status}, ${response.bytes} bytes`,
      );
    }
    timesMs.push(now - sentAt);
    bytes = response.bytes;
    return now < endsAt;
  }

  await Promise.all(Array.from({ length: connections }, () => converse(port, next, onEnd, pace)));
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(timesMs).sort();
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const count = timesMs.length;
  return { count, rps: count / tookSeconds, p50: at(0.5), p99: at(0.99), bytes };
}

/** Uses one connection, and opens it again when the server closes it. */
function converse(
  port: number,
  next: Load['next'],
  onEnd: OnEnd,
  pace: Pace | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let response = newResponse();
    let sentAt = 0;
    let waiting = false;

    function finish(error?: unknown) {
      socket.removeAllListeners('close');
      socket.destroy();
      if (error) reject(error);
      else resolve();
    }

    function send() {
      const text = next();
      if (text === undefined) return finish();
      const freeAt = performance.now();
      if (!pace) return write(text, freeAt);
      return void pace
        .turn()
        .then((dueAt) => write(text, dueAt > freeAt ? performance.now() : dueAt));
    }

    function write(text: string, from: number) {
      response = newResponse();
      waiting = true;
      sentAt = from;
      socket.write(text, 'latin1');
    }

    function onData(piece: Buffer) {
      response.take(piece);
      if (!response.isWhole()) return;
      waiting = false;
      try {
        if (!onEnd(response, sentAt)) finish();
        else if (!response.closes) send();
      } catch (error) {
        finish(error);
      }
    }

    function open() {
      const opened = connect({ port, host: '127.0.0.1', noDelay: true });
      opened.on('connect', send).on('data', onData).on('error', finish);
      opened.on('close', () => {
        if (waiting) return finish(new Error('the server closed the connection'));
        socket = open();
      });
      return opened;
    }

    let socket = open();
  });
}

function newResponse() {
  let head: Buffer | undefined;
  let missing = Number.POSITIVE_INFINITY;
  let tail = '';
  return {
    status: 0,
    bytes: 0,
    closes: false,
    take(given: Buffer) {
      let piece = given;
      if (missing === Number.POSITIVE_INFINITY) {
        if (head) piece = Buffer.concat([head, given]);
        const end = piece.indexOf(END_OF_HEAD);
        if (end === -1) {
          head = piece;
          return;
        }
        const text = piece.latin1Slice(0, end + 2);
        this.status = Number(text.slice(9, 12));
        this.closes = /^connection: close/im.test(text);
        missing = lengthOf(text, this.status);
        piece = piece.subarray(end + 4);
      }
      this.bytes += piece.length;
      if (missing >= 0) missing -= piece.length;
      else tail = (tail + piece.latin1Slice(Math.max(0, piece.length - 5))).slice(-5);
    },
    isWhole: () => missing === 0 || tail === LAST_CHUNK,
  };
}

/** The length of the body that a head announces; -1 for one in chunks. */
function lengthOf(head: string, status: number) {
  const length = /^content-length: ?(\d+)/im.exec(head);
  if (length) return Number(length[1]);
  return status === 204 ? 0 : -1;
}

declare global {
  interface Buffer<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
    /** Missing from Node's types. */
    latin1Slice(start: number, end?: number): string;
  }
}
