import { type Agent, request } from 'node:http';

/** A request as it is sent. */
export interface Call {
  readonly method: string;
  /** The target of the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

/** The outcome of a call: a response, complete or not, or why there is none. */
export interface Outcome {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The part of the body that arrived. */
  readonly text: string;
  /** Why there is no complete response: the code of the error, or `TIMEOUT`. */
  readonly failure?: string;
  readonly durationMs: number;
}

/** Sends calls; never rejects. */
export type Send = (call: Call) => Promise<Outcome>;

/** Creates a function that sends calls to a server, and breaks off late ones as `TIMEOUT`. */
export function createSend(url: string, agent: Agent, timeoutMs: number): Send {
  const { hostname, port } = new URL(url);
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve) => {
      const startedAtMs = performance.now();
      let seen: Pick<Outcome, 'status' | 'headers'> = { headers: {} };
      const pieces: Buffer[] = [];
      const end = (failure?: string) => {
        clearTimeout(timer);
        resolve({
          ...seen,
          text: Buffer.concat(pieces).toString(),
          ...(failure !== undefined && { failure }),
          durationMs: performance.now() - startedAtMs,
        });
      };
      const sent = request(
        { hostname, port, agent, method, path, headers: { ...lengthOf(body), ...headers } },
        (response) => {
          seen = { status: response.statusCode ?? 0, headers: response.headers };
          response.on('data', (piece) => pieces.push(piece));
          response.on('end', () => end());
          response.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
        },
      );
      const timer = setTimeout(() => {
        end('TIMEOUT');
        sent.destroy();
      }, timeoutMs);
      sent.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
      sent.end(body);
    });
}

function lengthOf(body: Call['body']): Record<string, string> {
  return body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
}
