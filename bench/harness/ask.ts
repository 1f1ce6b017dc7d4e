import { Agent } from 'node:http';
import { createSend } from '../../test/rigour/server/call.js';
import type { Asked, ReceivedResponse } from '../types.js';

/** Sends one request, on a new connection or an agent's; parses the response if it is JSON. */
export async function ask(
  port: number,
  asked: Asked,
  agent = new Agent(),
): Promise<ReceivedResponse> {
  const { method, path, token, body } = asked;
  const send = createSend(`http://127.0.0.1:${port}`, agent, 10_000);
  const outcome = await send({ method, path, headers: headersOf(token, body), body });
  const { status = 0, text, failure } = outcome;
  if (failure !== undefined) throw new Error(failure);
  return { status, text, body: parse(text) };
}

/** The text of a request as it is sent. */
export function wire({ method, path, token, body }: Asked) {
  const lines = Object.entries({ Host: '127.0.0.1', ...headersOf(token, body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`;
}

function headersOf(token: string, body: string | undefined): Record<string, string> {
  const Authorization = `Bearer ${token}`;
  if (!body) return { Authorization };
  const length = String(Buffer.byteLength(body));
  return { Authorization, 'Content-Type': 'application/json', 'Content-Length': length };
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
