import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { checkResponse, type ReceivedResponse } from './check-response.js';
import { Finding, withPasted } from './finding.js';
import { openOther } from './other-account.js';
import { printfOf } from './pasted.js';
import type { RawPlan } from './raw-bytes.js';
import { readResponses } from './raw-responses.js';
import { BOUND_MS, type Target } from './target.js';

/** How long a client waits for a response before it closes its side. */
const PATIENCE_MS = 100;

/** Sends bytes over a connection; throws a `Finding` if it stays open, or for a wrong response. */
export async function playRaw(target: Target, plan: RawPlan): Promise<void> {
  await target.clean();
  await openOther(target);
  const token = target.newToken();
  const text = plan.text.replaceAll('{{token}}', token);
  try {
    const received = await exchange(target.url, { ...plan, text });
    if (plan.ending !== 'reset') checkReceived(received, text, token);
    if (plan.ending === 'wait' && received === '' && isResponseDue(text))
      throw new Finding('a response', 'a connection that was closed without one');
    await target.checkAlive();
  } catch (thrown) {
    throw withPasted(thrown, [printfOf(Buffer.from(text, 'latin1'))]);
  }
}

function checkReceived(received: string, text: string, token: string): void {
  // A method may have come about by a mutation, or stand where none is seen.
  const mayHaveHead = /HEAD/.test(text);
  const { responses, rest } = readResponses(received, mayHaveHead);
  if (rest !== '' && responses.length === 0)
    throw new Finding('a response of HTTP', rest.slice(0, 500));
  if (rest !== '' && !mayHaveHead)
    throw new Finding('nothing after the last whole response', rest.slice(0, 500));
  for (const response of responses) check(response, { text, mayHaveHead, token });
}

function check(
  response: ReceivedResponse,
  { text, mayHaveHead, token }: { text: string; mayHaveHead: boolean; token: string },
): void {
  const isPage = text.includes('/__control/ui');
  checkResponse(response, {
    // Which of the requests it answers is not known.
    path: isPage ? '/__control/ui' : '/',
    acceptsHtml: /text\/html/i.test(text),
    mayBeEmpty: mayHaveHead,
    arranged: [],
    errorBody: 'problem-json',
    mayBeStub: false,
    token,
  });
}

/** Whether what was sent has a whole head and no body: it has to be answered as it is. */
function isResponseDue(text: string): boolean {
  const isWhole = text.trimStart().includes('\r\n\r\n');
  return isWhole && !/content-length|transfer-encoding/i.test(text);
}

/** Sends the bytes and returns what came, as latin1 text, once the connection is closed. */
function exchange(url: string, { text, cuts, ending }: RawPlan): Promise<string> {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(text, 'latin1');
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let received = '';
    const hung = setTimeout(() => {
      socket.destroy();
      const seen = received === '' ? 'nothing' : received.slice(0, 1_000);
      reject(new Finding('that the connection is closed', `${seen}, and it stays open`));
    }, BOUND_MS);
    const closeSide = () => socket.end();
    let patience: NodeJS.Timeout | undefined;
    const waitForMore = () => {
      clearTimeout(patience);
      patience = setTimeout(closeSide, PATIENCE_MS);
    };
    socket.setEncoding('latin1').on('data', (piece: string) => {
      received += piece;
      // What follows a response follows at once.
      if (ending === 'wait') waitForMore();
    });
    socket.on('end', closeSide);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(hung);
      clearTimeout(patience);
      resolve(received);
    });
    socket.once('connect', async () => {
      for (const piece of inPieces(bytes, cuts)) {
        if (socket.writable) socket.write(piece);
        await setImmediate();
      }
      if (ending === 'reset') socket.resetAndDestroy();
      else if (ending === 'half-close') closeSide();
      else if (received !== '' || !isResponseDue(text)) waitForMore();
    });
  });
}

function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b)];
  return places.map((place, nth) => bytes.subarray(place, places[nth + 1]));
}
