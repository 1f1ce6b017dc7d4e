import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../../../core/errors/problem-error.js';
import { bytesOf } from '../../../mock/service/request-and-response.js';

/** What parsers of bodies add to a request. */
interface Parsed {
  readonly body?: unknown;
  /** The bytes, decompressed. */
  readonly rawBody?: unknown;
}

/** Whether middleware in front of the mock has read the body, or made its bytes unreadable. */
export function isRead({ readableDidRead, readableEncoding }: IncomingMessage): boolean {
  return readableDidRead || readableEncoding !== null;
}

/** The body that middleware has read, decompressed; throws if it has left nothing to use. */
export function leftBody(message: IncomingMessage & Parsed): Uint8Array {
  const { rawBody, body } = message;
  for (const left of [rawBody, body]) {
    if (typeof left === 'string' || left instanceof Uint8Array) return bytesOf(left);
  }
  const [type = ''] = (message.headers['content-type'] ?? '').toLowerCase().split(';');
  const text = body === undefined ? undefined : textOf(type.trim(), body);
  if (text !== undefined) return bytesOf(text);
  throw new ProblemError(
    'internal-error',
    'Middleware in front of the mock has read or decoded the body; expected its bytes, or what express.json() leaves as request.body. Put the mock in front of that middleware, or keep the bytes as request.rawBody.',
  );
}

function textOf(type: string, body: unknown): string | undefined {
  if (/^application\/(.*\+)?json$/.test(type)) return JSON.stringify(body);
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(body))) {
    for (const one of [value].flat()) {
      if (typeof one !== 'string') return undefined;
      form.append(name, one);
    }
  }
  return form.toString();
}
