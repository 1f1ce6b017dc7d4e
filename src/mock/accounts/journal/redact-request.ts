import type { ProblemGround } from '../../../core/errors/problem-error.js';
import { invalidValuesOf } from '../../../core/errors/write-problem.js';
import { parseJson } from '../../../core/values/parse-json.js';
import { percentDecoded } from '../../../core/values/received-value.js';
import { credentialsIn, describeField, fieldIn, headerFieldsOf } from './redact-headers.js';
import { type IsToken, isSecretName, Redaction } from './redact-secrets.js';

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

export function redactTarget(sent: Sent, redaction: Redaction): string {
  return redaction.hide(Object.values(redactParts(sent, redaction)).join('?'));
}

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
