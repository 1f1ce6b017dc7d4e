import { isTooDeep } from '../../errors/nesting.js';
import type { ProblemGround } from '../../errors/problem-error.js';
import { credentialsIn, fieldIn, headerFieldsOf } from './header-fields.js';
import { isSecretName, Redaction } from './redact-secrets.js';

/** A body as received, or its length and hash if it is long. */
export type NotedBody = string | { readonly bytes: number; readonly hash: string };

/** What was sent of a request, as far as it is known. */
interface Sent {
  readonly target: string;
  readonly headerLines: string;
  readonly template?: string | undefined;
  readonly body?: NotedBody;
  /** Why it was refused: without secrets already. */
  readonly refusal?: { readonly detail?: string };
}

/** What takes the secrets out of a request and of what quotes it; `others` are more values of it. */
export function redactionOf(
  { target, headerLines, template, body, refusal }: Sent,
  others?: unknown,
): Redaction {
  const redaction = new Redaction(credentialsIn(headerFieldsOf(headerLines)), refusal?.detail);
  const [path = '', ...query] = target.split('?');
  redactPath(path, template, redaction);
  redaction.fields(query.join('?'));
  redaction.value(others);
  if (body !== undefined) redactBody(body, headerLines, redaction);
  return redaction;
}

/** What takes the secrets out of a refusal, which quotes the request and the values that are wrong. */
export function redactionOfRefusal(sent: Sent, { errors = [] }: ProblemGround): Redaction {
  return redactionOf(
    sent,
    errors.map(({ pointer, received }) => ({ [pointer]: received })),
  );
}

/** A target without secrets. */
export function redactTarget(sent: Sent, redaction: Redaction): string {
  const [path = '', ...query] = sent.target.split('?');
  const parts = [redactPath(path, sent.template, redaction)];
  if (query.length > 0) parts.push(redaction.fields(query.join('?')));
  return redaction.hide(parts.join('?'));
}

/** A path without the values of parameters whose names say that they are secret. */
export function redactPath(
  path: string,
  template: string | undefined,
  redaction: Redaction,
): string {
  const parts = template?.split('/') ?? [];
  const segments = path.split('/');
  const shown = segments.map((segment, index) => {
    const part = parts[index] ?? '';
    const isSecret = part.startsWith('{') && isSecretName(part) && segment !== '';
    return isSecret ? redaction.withhold(decodedSegment(segment)) : redaction.fields(segment);
  });
  return shown.join('/');
}

/** A body without secrets: JSON as its value, a form and any other text as text. */
export function redactBody(body: NotedBody, headerLines: string, redaction: Redaction): unknown {
  if (typeof body !== 'string') return body;
  const mediaType = fieldIn(headerFieldsOf(headerLines), 'content-type') ?? '';
  const isForm = mediaType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  return isForm ? redaction.fields(body) : redaction.value(valueOfBody(body));
}

/** A body in base64; nothing of it if there is a secret in its bytes. */
export function redactBinary(base64: string, redaction: Redaction): string {
  const text = atob(base64);
  return redaction.hide(redaction.text(text)) === text ? base64 : '';
}

/** The parsed body; its text if it is no JSON, or is nested too deep to be sent back. */
export function valueOfBody(body: NotedBody): unknown {
  if (typeof body !== 'string') return body;
  try {
    const value: unknown = JSON.parse(body);
    return isTooDeep(value) ? body : value;
  } catch {
    return body;
  }
}

/** A segment of a path, decoded; unchanged if it cannot be. */
export function decodedSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
