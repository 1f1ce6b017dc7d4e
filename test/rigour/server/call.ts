import { type Agent, request } from 'node:http';

/** A request as it is sent; fields in order, so that one may come twice. */
export interface Call {
  readonly method: string;
  /** The target of the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

/** What came of a call: a response, whole or not, or why there is none. */
export interface Outcome {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What came of the body. */
  readonly text: string;
  /** Why no response came, or none that is whole: the code of the error, or `TIMEOUT`. */
  readonly failure?: string;
  readonly durationMs: number;
}

/** Sends calls; never rejects. */
export type Send = (call: Call) => Promise<Outcome>;

/** Sends calls to a server; what takes longer than the bound is broken off as `TIMEOUT`. */
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
