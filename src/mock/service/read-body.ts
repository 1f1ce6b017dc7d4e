import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { firstMistakes } from '../../core/errors/first-mistakes.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { changedNumbers, mistakeOfNumber } from '../../core/values/exact-numbers.js';
import { EXPECTED_NESTING, parseJson, TooDeepError } from '../../core/values/parse-json.js';
import { cut } from '../../core/values/received-value.js';
import { noteOf } from '../accounts/journal/note-body.js';
import { tooMuchUnderWay } from './bytes-under-way.js';
import type { DocumentedExchange, Exchange, Step } from './exchange.js';
import { joined } from './request-and-response.js';

export interface BodyRules {
  readonly maxBytes: number;
  /** What to do instead of sending more. */
  readonly insteadOfLarger?: string;
  /** Whether to refuse numbers that reading would change, because the body is kept. */
  readonly keepsNumbers?: boolean;
}

/** Keeps the bytes of the body of an operation that takes one, until `parseBody` parses them. */
export function readBody(rules: BodyRules): Step<DocumentedExchange> {
  return (exchange) => {
    const { called, content } = exchange;
    const { requestBody } = called.route.operation;
    const expected = requestBody as OpenAPIV3.RequestBodyObject | undefined;
    if (expected && (expected.required === true || content)) {
      return readJsonBytes(exchange, Object.keys(expected.content), rules);
    }
    return content && readToEnd(content);
  };
}

/** Keeps the bytes of the body, for stubs and `routes`. */
export function keepBytes(rules: BodyRules): Step {
  const keep = async (exchange: Exchange) => {
    exchange.body = await readBytes(exchange, rules);
  };
  return (exchange) => exchange.content && keep(exchange);
}

/** Refuses other media types, and too long a Content-Length, before it reads the body. */
async function readJsonBytes(
  exchange: Exchange,
  mediaTypes: readonly string[],
  rules: BodyRules,
): Promise<void> {
  if (!exchange.content) throw missingBody();
  refuseOtherMediaTypes(exchange.fields, mediaTypes);
  refuseTooLarge(exchange.fields, rules);
  const bytes = await readBytes(exchange, rules);
  // A chunked or compressed body can turn out to be empty.
  if (bytes.length === 0) throw missingBody();
  exchange.body = bytes;
}

/**
 * Parses the bytes that were read. Everything until the body is let go follows without waiting, so
 * that only one parsed body is in memory at a time, whatever it takes.
 */
export function parseBody({ keepsNumbers = false }: BodyRules): Step {
  return (exchange) => {
    if (!(exchange.body instanceof Uint8Array)) return;
    const text = textOf(exchange.body);
    exchange.body = parseText(text);
    const changed = keepsNumbers ? firstMistakes(changedNumbers(text)) : [];
    if (changed.length > 0) throw new InvalidInputError(changed.map(mistakeOfNumber));
  };
}

/** Reads and discards a body to its end, because a request that is aborted must change nothing. */
export async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _piece of body) {
      // Discarded.
    }
  } catch (error) {
    // What middleware in front of the mock has read to its end need not be there.
    if (!(error instanceof ProblemError)) throw error;
  }
}

/**
 * Notes a short body while its request is held, before any step judges it. The step that reads the
 * body gets the same bytes, or the same error.
 */
export function noteBodyAhead(exchange: Exchange): void {
  const { content, fields, journal, noted, platform } = exchange;
  const length = Number(fields['content-length'] ?? Number.POSITIVE_INFINITY);
  const isShort = length <= SMALL_BYTES && fields['content-encoding'] === undefined;
  if (!content || !noted || !isShort) return;
  exchange.keepAnyway(length);
  exchange.hasCountedBody = true;
  const read = piecesOf(content);
  exchange.content = again(read);
  const note = (pieces: readonly Uint8Array[]) =>
    journal?.noteBody(noted, noteOf(joined(pieces), platform.sha256));
  read.then(note).catch(() => undefined);
}

async function piecesOf(body: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

async function* again(read: Promise<readonly Uint8Array[]>): AsyncGenerator<Uint8Array, void> {
  yield* await read;
}

/** As much of a body as is always admitted. */
const SMALL_BYTES = 16_384;

async function readBytes(exchange: Exchange, rules: BodyRules): Promise<Uint8Array> {
  const { maxBytes } = rules;
  const { request, fields, journal, noted, platform } = exchange;
  const coding = (fields['content-encoding'] ?? 'identity').toLowerCase();
  const sent = exchange.content ?? noContent();
  const decoded = coding === 'identity' ? sent : platform.decode(coding, sent);
  if (!decoded) {
    await readToEnd(sent);
    throw unknownCoding(coding);
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  let hasRoom = true;
  try {
    for await (const piece of decoded) {
      length += piece.length;
      const isAllowed = length <= maxBytes;
      if (length <= SMALL_BYTES) {
        if (!exchange.hasCountedBody) exchange.keepAnyway(piece.length);
      } else if (isAllowed && hasRoom && !exchange.keep(piece.length)) {
        hasRoom = false;
        pieces.length = 0;
        exchange.releaseBody();
      }
      // Read on beyond the limit: most clients send the whole body before they read a response.
      if (isAllowed && hasRoom) pieces.push(piece);
      else if (coding !== 'identity') break;
    }
  } catch (error) {
    // Without decoding, only the connection can have failed.
    if (coding === 'identity' || request.signal.aborted) throw error;
    throw unreadable(error);
  }
  if (!hasRoom) throw tooMuchUnderWay();
  if (length > maxBytes) throw tooLarge(`more than ${maxBytes}`, rules);
  const bytes = joined(pieces);
  if (noted) journal?.noteBody(noted, noteOf(bytes, platform.sha256));
  return bytes;
}

async function* noContent(): AsyncGenerator<Uint8Array, void> {}

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooDeepError) throw tooDeep();
    throw malformedJson((error as Error).message);
  }
}

/**
 * Parses the body of a call that no operation answers: JSON, or the fields of a URL-encoded form.
 * Other media types, and a missing body, give an empty object.
 */
export function parseSentBody(exchange: Exchange): unknown {
  const { body, fields } = exchange;
  const [beginning = ''] = (fields['content-type'] ?? '').toLowerCase().split(';');
  const mediaType = beginning.trim();
  const isJson = /^application\/(.*\+)?json$/.test(mediaType);
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  if (!(body instanceof Uint8Array) || body.length === 0 || !(isJson || isForm)) return {};
  if (isJson) return parseText(textOf(body));
  return Object.fromEntries(new URLSearchParams(textOf(body)));
}

function malformedJson(why: string): ProblemError {
  return new ProblemError(
    'malformed-json',
    `The body is not JSON: ${why}. Expected a JSON object; correct the syntax.`,
    { decision: 'invalid-request-status' },
  );
}

function tooDeep(): ProblemError {
  const fix = 'Nest it less deeply.';
  return new ProblemError(
    'invalid-request',
    `The body is nested too deeply; expected ${EXPECTED_NESTING}. ${fix}`,
    {
      decision: 'invalid-request-status',
      mistakes: [{ path: [], expected: EXPECTED_NESTING, received: undefined, fix }],
    },
  );
}

function missingBody(): ProblemError {
  return new ProblemError(
    'missing-body',
    'No body was received; expected a JSON object. Send one, with its Content-Length.',
    { decision: 'invalid-request-status' },
  );
}

function unreadable(error: unknown): ProblemError {
  const why = error instanceof Error ? error.message : String(error);
  return new ProblemError(
    'invalid-request',
    `The body could not be read (${why}); expected complete content in the coding that Content-Encoding names. Send it again, or correct the header.`,
    { decision: 'invalid-request-status' },
  );
}

function unknownCoding(coding: string): ProblemError {
  return new ProblemError(
    'unsupported-media-type',
    `The body has the content encoding "${cut(coding)}"; expected one such as gzip, or none. Send the body without it.`,
  );
}

/** Refuses other media types and charsets: JSON is UTF-8 (RFC 8259, section 8.1). */
function refuseOtherMediaTypes(fields: Exchange['fields'], expected: readonly string[]): void {
  const received = fields['content-type'];
  const [mediaType = '', ...parameters] =
    received?.split(';').map((part) => part.trim().toLowerCase()) ?? [];
  const isUtf8 = parameters.every((parameter) => !/^charset=(?!"?(utf-?8)?"?$)/.test(parameter));
  if (expected.includes(mediaType) && isUtf8) return;
  const was = received
    ? `The body was sent as '${cut(received)}'`
    : 'The body was sent without a Content-Type';
  throw new ProblemError(
    'unsupported-media-type',
    `${was}; expected '${expected.join("' or '")}'${isUtf8 ? '' : ' in UTF-8'}. Set the Content-Type header.`,
  );
}

/** Refuses by Content-Length alone; `readBytes` refuses what turns out to be too large. */
function refuseTooLarge(fields: Exchange['fields'], rules: BodyRules): void {
  const length = Number(fields['content-length'] ?? 0);
  if (length > rules.maxBytes) throw tooLarge(String(length), rules);
}

function tooLarge(
  received: string,
  { maxBytes, insteadOfLarger = 'Send it in several requests.' }: BodyRules,
): ProblemError {
  return new ProblemError(
    'content-too-large',
    `The body has ${received} bytes; expected at most ${maxBytes} (${maxBytes / 2 ** 20} MB). ${insteadOfLarger}`,
  );
}

/** Decodes UTF-8; refuses invalid bytes, which would otherwise become U+FFFD. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError(
      'malformed-json',
      'The body has bytes that are not UTF-8. Encode it as UTF-8.',
      { decision: 'invalid-request-status' },
    );
  }
}
