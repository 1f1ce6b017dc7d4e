import type { ProblemGround } from '../../errors/problem-error.js';
import { invalidValuesOf } from '../../errors/write-problem.js';
import { TOKEN_FORM } from '../../values/bearer-token.js';
import { parseJson } from '../../values/parse-json.js';
import { percentDecoded } from '../../values/received-value.js';
import { type IsToken, isSecretName, REDACTED, Redaction } from './redact-secrets.js';

/** A body as received, or its length and hash if it is long. */
export type NotedBody = string | { readonly bytes: number; readonly hash: string };

/** The parts of a request that may contain secrets, as far as they are known. */
interface Sent {
  readonly target: string;
  readonly headerLines: string;
  readonly template?: string | undefined;
  readonly body?: NotedBody;
  /** Why it was refused; already redacted. */
  readonly refusal?: { readonly detail?: string };
}

/** Finds the secrets of a request, to redact it and what quotes it. Also searches `others`. */
export function redactionOf(sent: Sent, isToken?: IsToken, others?: unknown): Redaction {
  const { headerLines, body, refusal } = sent;
  const fields = headerFieldsOf(headerLines);
  const redaction = new Redaction({
    tokens: credentialsIn(fields),
    isToken,
    clean: refusal?.detail,
  });
  for (const field of fields) describeField(field, redaction);
  redactParts(sent, redaction);
  redaction.value(others);
  if (body !== undefined) redactBody(body, headerLines, redaction);
  return redaction;
}

/** The detail of a refusal, without the secrets of the request that it quotes. */
export function redactRefusal(detail: string, redaction: Redaction, ground: ProblemGround): string {
  const errors = invalidValuesOf(ground);
  for (const { pointer, received } of errors) redaction.value({ [pointer]: received });
  const expectations = errors.map((one) => `${one.in} ${one.pointer}: expected ${one.expected}`);
  return redaction.quote(detail, ground.inShort ?? (expectations.join('; ') || undefined));
}

/** The path and query of a request, redacted. */
export function redactTarget(sent: Sent, redaction: Redaction): string {
  return redaction.hide(Object.values(redactParts(sent, redaction)).join('?'));
}

/** The path and the query of a target, as sent. */
export function partsOf({ target }: Pick<Sent, 'target'>) {
  const [path = '', query] = target.split(/\?(.*)/s);
  return { path, query };
}

/** The path and the query, if any, without values whose names are secret. */
export function redactParts(sent: Sent, redaction: Redaction): { path: string; query?: string } {
  const { path, query } = partsOf(sent);
  return {
    path: redactPath(path, sent.template, redaction),
    ...(query !== undefined && { query: redaction.fields(query) }),
  };
}

/** A path without the values of parameters whose names are secret. */
function redactPath(path: string, template: string | undefined, redaction: Redaction): string {
  const parts = template?.split('/') ?? [];
  const shown: string[] = [];
  for (const [index, segment] of path.split('/').entries()) {
    const part = parts[index] ?? '';
    const isSecret = part.startsWith('{') && isSecretName(part) && segment !== '';
    const value = percentDecoded(segment) ?? segment;
    shown.push(isSecret ? redaction.withhold(value) : redaction.fields(segment));
    // What follows may be part of the secret, so leave it out.
    if (!isSecret && shown.at(-1) !== segment) break;
  }
  return shown.join('/');
}

/** A redacted body: JSON as a value, a form or any other text as text. */
export function redactBody(body: NotedBody, headerLines: string, redaction: Redaction): unknown {
  if (typeof body !== 'string') return body;
  const mediaType = fieldIn(headerFieldsOf(headerLines), 'content-type') ?? '';
  const isForm = mediaType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  if (isForm) return redaction.fields(body);
  const parsed = valueOfBody(body);
  return typeof parsed === 'string' ? redaction.unstructured(parsed) : redaction.value(parsed);
}

/** A body in base64; empty if its bytes contain a secret. */
export function redactBinary(base64: string, redaction: Redaction): string {
  const text = atob(base64);
  return redaction.hide(redaction.unstructured(text)) === text ? base64 : '';
}

/** The parsed body; its text if it is not JSON, or nested too deeply to send back. */
export function valueOfBody(body: NotedBody): unknown {
  if (typeof body !== 'string') return body;
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

/** A header field of a request or a response. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The fields whose values are shown. Any other might be a credential, whatever its name. */
const SHOWN: readonly string[] = [
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'accept-ranges', 'age'],
  ...['access-control-allow-credentials', 'access-control-allow-headers', 'allow'],
  ...['access-control-allow-methods', 'access-control-allow-origin', 'access-control-max-age'],
  ...['access-control-expose-headers', 'access-control-request-headers'],
  ...['access-control-request-method', 'cache-control', 'connection', 'content-disposition'],
  ...['content-encoding', 'content-language', 'content-length', 'content-location'],
  ...['content-range', 'content-type', 'date', 'decisions', 'dnt', 'etag', 'expect', 'expires'],
  ...['host', 'idempotency-key', 'if-match', 'if-modified-since', 'if-none-match', 'if-range'],
  ...['if-unmodified-since', 'keep-alive', 'last-modified', 'location', 'origin', 'pragma'],
  ...['prefer', 'preference-applied', 'priority', 'range', 'retry-after', 'sec-ch-ua'],
  ...['sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-fetch-dest', 'sec-fetch-mode'],
  ...['sec-fetch-site', 'sec-fetch-user', 'server', 'te', 'trailer', 'transfer-encoding'],
  ...['traceparent', 'upgrade', 'upgrade-insecure-requests', 'user-agent', 'vary', 'via'],
  ...['www-authenticate', 'x-correlation-id', 'x-forwarded-for', 'x-forwarded-host'],
  ...['x-forwarded-proto', 'x-request-id', 'x-requested-with'],
];

/** The fields by lower-case name; repeated fields are joined. */
export function headersOf(headerLines: string, redaction: Redaction): Record<string, string> {
  const headers = new Map<string, string>();
  for (const field of headerFieldsOf(headerLines)) {
    const name = field.name.toLowerCase();
    const { value } = describeField(field, redaction);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** The header fields as they were sent. */
export function headerFieldsOf(headerLines: string): HeaderField[] {
  const lines = headerLines.split('\n');
  return Array.from({ length: Math.floor(lines.length / 2) }, (_, nth) => ({
    name: lines[2 * nth] ?? '',
    value: lines[2 * nth + 1] ?? '',
  }));
}

/** The value of the field with this lower-case name; undefined if there is none. */
export function fieldIn(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name)?.value;
}

/** A header field as it may be shown: of a credential only its scheme, if it is a known one. */
export function describeField({ name, value }: HeaderField, redaction: Redaction): HeaderField {
  const lowerCase = name.toLowerCase();
  if (lowerCase.endsWith('location')) return { name, value: redaction.fields(value) };
  if (SHOWN.includes(lowerCase)) return { name, value: redaction.text(value) };
  const [, scheme] = /^(bearer|basic|digest) /i.exec(value) ?? [];
  return { name, value: scheme === undefined ? REDACTED : `${scheme} ${REDACTED}` };
}

/** The credentials in header fields, without their schemes; skips values that cannot be tokens. */
function credentialsIn(fields: readonly HeaderField[]): string[] {
  return fields.flatMap(({ name, value }) => {
    if (!isSecretName(name)) return [];
    if (!name.toLowerCase().endsWith('cookie'))
      return value
        .split(' ')
        .slice(-1)
        .filter((token) => TOKEN_FORM.test(token));
    const cookies = value.split(';').map((pair) => pair.trim().split('='));
    return cookies.flatMap(([of = '', ...rest]) => (isSecretName(of) ? [rest.join('=')] : []));
  });
}
