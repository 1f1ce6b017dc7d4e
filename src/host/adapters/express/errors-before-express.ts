import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { DecisionsBehindResponse } from '../../../core/decisions/decisions-behind-response.js';
import type { Decisions } from '../../../core/decisions/ledger.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import type { ProblemName } from '../../../core/errors/problem-types.js';
import { describeProblem, errorBody, headersOf } from '../../../core/errors/write-problem.js';
import { ANY_ORIGIN } from '../../../mock/service/cross-origin.js';
import { setTimeout } from '../unfaked-time.js';
import { HEADERS_TIMEOUT_MS, latestResponses, REQUEST_TIMEOUT_MS } from './connections.js';

/** How long a refused connection is still read: closing it with unread bytes would reset it. */
const LINGER_MS = 2_000;

/** Problems by the error code of `clientError`; any other code not about TLS is malformed HTTP. */
const PARSER_PROBLEMS: Readonly<Record<string, readonly [ProblemName, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    'The request line and the header fields have more than 16 kB; expected at most that. Shorten the URL, or send fewer or shorter header fields.',
  ],
  HPE_INVALID_METHOD: [
    'malformed-http',
    'The request line does not begin with an HTTP method; expected one such as GET, POST or DELETE. Check the request line.',
  ],
  HPE_INVALID_URL: [
    'malformed-http',
    'The request target does not begin with a slash, or has a character that HTTP does not allow there; expected a path such as /measurements, in visible ASCII characters. Put a slash before the path, and percent-encode values as encodeURIComponent does.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request-timeout',
    `The request did not arrive completely in time; expected its header fields within ${HEADERS_TIMEOUT_MS / 1000} s, and all of it within ${REQUEST_TIMEOUT_MS / 1000} s. Send it again.`,
  ],
};

const TLS_ERROR = /^(ERR_SSL_|ERR_TLS_|EPROTO$)/;

/** What `clientError` reports. */
interface ParserError extends Error {
  readonly code?: string;
  /** Why a TLS connection failed, according to OpenSSL. */
  readonly reason?: string;
}

/**
 * Answers what never reaches Express with a problem, then closes the connection: requests that Node
 * cannot parse or that arrive too slowly, and CONNECT.
 */
export function answerBeforeExpress(
  server: Server,
  decisions: () => Decisions,
  logger: Logger,
): void {
  const latest = latestResponses(server);
  const refused = new WeakSet<Duplex>();

  function refuse(socket: Duplex, error: ProblemError, isCutOff = false): void {
    refused.add(socket);
    const { problem, message } = error;
    logger.info({ problem }, message);
    socket.resume();
    const answer = () =>
      socket.end(rawResponse(error, new DecisionsBehindResponse(decisions())), () => {
        setTimeout(() => socket.destroy(), LINGER_MS).unref();
      });
    const before = latest.get(socket);
    // Earlier requests on this connection are answered first.
    if (before?.req.complete && !before.closed) before.once('close', answer);
    else if (before && !before.socket && !before.closed) before.once('socket', answer);
    else answer();
    // A client that has closed its side would otherwise never see an earlier stream end.
    if (isCutOff) setTimeout(() => socket.end(), LINGER_MS).unref();
  }

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') return socket.destroy();
    // The bytes after a malformed request cause more parser errors.
    if (refused.has(socket)) return;
    if (!TLS_ERROR.test(error.code ?? '')) {
      const isCutOff = error.code === 'HPE_INVALID_EOF_STATE';
      return refuse(socket, problemOfParser(error), isCutOff);
    }
    logger.info(
      error.code === 'ERR_SSL_HTTP_REQUEST'
        ? "A plain HTTP request was received; expected HTTPS, which this mock serves. Begin the client's base URL with https://."
        : `A TLS connection failed: ${error.reason ?? error.code}.`,
    );
    socket.destroy();
  });

  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node no longer watches the connection; an earlier stream would keep it open for ever.
    socket.once('end', () => socket.end());
    const detail =
      'A tunnel was requested with CONNECT; expected a call to an operation. The mock is not a proxy: call it directly.';
    refuse(socket, new ProblemError('method-not-allowed', detail, { headers: { Allow: '' } }));
  });
}

function problemOfParser(error: ParserError): ProblemError {
  const [problem, detail] = PARSER_PROBLEMS[error.code ?? ''] ?? [
    'malformed-http' as const,
    `The request cannot be parsed (${error.message}); expected HTTP/1.1. Check the request line and the header fields.`,
  ];
  return new ProblemError(problem, detail);
}

function rawResponse(error: ProblemError, decisions: DecisionsBehindResponse): string {
  const problem = describeProblem(error, decisions);
  const { mediaType, write } = errorBody(decisions);
  const body = write(problem);
  const headers = {
    ...ANY_ORIGIN,
    ...headersOf(error),
    ...(mediaType && { 'Content-Type': mediaType }),
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${fields.join('')}\r\n${body}`;
}
