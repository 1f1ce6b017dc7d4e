import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { openOther } from './account-state.js';
import { checkResponse, demand } from './check-response.js';
import type { RawPlan } from './raw-requests.js';
import { BOUND_MS, type Target } from './target.js';

/** How long a client waits for a response before it closes its side. */
const PATIENCE_MS = 100;

/** Sends bytes over a connection; throws if it stays open, or if a response is wrong. */
export async function playRaw(target: Target, plan: RawPlan): Promise<void> {
  await target.clean();
  await openOther(target.send, target.newToken());
  const token = target.newToken();
  const text = plan.text.replaceAll('{{token}}', token);
  const received = await exchange(target.command.url, { ...plan, text });
  if (plan.ending !== 'reset') checkReceived(received, text, token);
  await target.checkAlive();
}

/** Whether the text has a whole head and no body, so that a response is due. */
function isResponseDue(text: string): boolean {
  const isWhole = text.trimStart().includes('\r\n\r\n');
  return isWhole && !/content-length|transfer-encoding/i.test(text);
}

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/;

/** Checks the responses that arrived over a connection, given as latin1 text. */
function checkReceived(received: string, text: string, token: string): void {
  const [before = '', ...responses] = received.split(new RegExp(`(?=${STATUS_LINE.source})`));
  demand(before === '' || STATUS_LINE.test(before), 'a response of HTTP', before);
  for (const response of [before, ...responses].filter((one) => STATUS_LINE.test(one))) {
    check(response, text, token);
  }
}

function check(response: string, text: string, token: string): void {
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(line.split(' ')[1]);
  const headers = Object.fromEntries(
    lines
      .map((one) => one.split(/: ?(.*)/s))
      .map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  const body = rest.join('\r\n\r\n');
  // A mutation may have created a HEAD request, or hidden one.
  const mayBeEmpty = /HEAD/.test(text);
  const length = Number(headers['content-length'] ?? body.length);
  const isWhole = body.length === length || (body === '' && (mayBeEmpty || status === 304));
  demand(isWhole, `a body of ${length} bytes and nothing after it`, response);
  const isChunked = headers['transfer-encoding'] !== undefined;
  checkResponse(
    { status, headers, text: Buffer.from(isChunked ? joined(body) : body, 'latin1').toString() },
    {
      // Nobody knows which of the requests this responds to.
      path: text.includes('/__control/ui') ? '/__control/ui' : '/',
      acceptsHtml: /text\/html/i.test(text),
      arranged: (text.match(/5\d\d/g) ?? []).map(Number),
      ...{ mayBeEmpty, token },
    },
  );
}

/** The content of chunks; the last one may be incomplete, as in a stream. */
function joined(chunks: string): string {
  const [, size = '', rest = ''] = /^([0-9a-f]+)\r\n(.*)$/s.exec(chunks) ?? [];
  demand(size !== '' || chunks === '', 'a chunk', chunks);
  const length = Number.parseInt(size || '0', 16);
  return length === 0 ? '' : rest.slice(0, length) + joined(rest.slice(length + 2));
}

/**
 * Sends the bytes, and resolves to what arrived, as latin1 text, when the connection is closed.
 * Responses come in order, so none follows a stream of requests, which goes on until its client
 * leaves. Therefore a client that waits closes its side in the end, and the mock must do so, too.
 */
async function exchange(url: string, plan: RawPlan): Promise<string> {
  const { text, pieces, ending } = plan;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const closed = new Promise<boolean>((resolve) => {
    socket.once('close', () => resolve(true));
    setTimeout(() => resolve(false), BOUND_MS).unref();
  });
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received += piece;
    // Further responses follow at once.
    if (ending === 'wait') socket.setTimeout(PATIENCE_MS);
  });
  for (const event of ['end', 'timeout']) socket.on(event, () => socket.end());
  let isReset = false;
  socket.on('error', () => {
    isReset = true;
  });
  let sent = 0;
  for (const length of [...pieces, text.length]) {
    if (socket.writable) socket.write(Buffer.from(text.slice(sent, sent + length), 'latin1'));
    sent += length;
    await setImmediate();
  }
  if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'half-close') socket.end();
  else if (received !== '' || !isResponseDue(text)) socket.setTimeout(PATIENCE_MS);
  const isClosed = await closed;
  socket.destroy();
  demand(isClosed, 'that the connection is closed', `nothing after ${received}`);
  // If this client is held up for seconds, a reset has discarded what had arrived.
  const isMissing = ending === 'wait' && received === '' && !isReset && isResponseDue(text);
  demand(!isMissing, 'a response', 'a connection that was closed without one');
  return received;
}
