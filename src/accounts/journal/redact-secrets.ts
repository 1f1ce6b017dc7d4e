import { isObject } from '../../messages/is-object.js';

const NAME = String.raw`[\w-]*(?:token|password|secret|authorization|cookie|api-?key)[\w-]*`;

/** Names of members and parameters whose values are secret. */
const SECRET_NAME = new RegExp(`^${NAME}$`, 'i');

/** The value of such a name in a query or a form. */
const SECRET_PARAMETER = new RegExp(String.raw`\b(${NAME})=[^&\s"']+`, 'gi');

/** A JSON Web Token. */
const SIGNED_TOKEN = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;

/** A shorter one is no secret, and would be found in ordinary words. */
const SHORTEST_TOKEN = 6;

const REDACTED = '[redacted]';

/**
 * A copy of a JSON value without what lets somebody act as a client: values whose names say that they
 * are secret, JSON Web Tokens, and the given bearer token wherever it stands.
 */
export function redactSecrets(value: unknown, token = ''): unknown {
  if (typeof value === 'string') return redactText(value, token);
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, token));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    redactText(name, token),
    typeof member === 'string' && SECRET_NAME.test(name) && !member.includes(REDACTED)
      ? REDACTED
      : redactSecrets(member, token),
  ]);
  return Object.fromEntries(members);
}

/** The same for a text; one of JSON stays JSON, and unchanged if it has no secret. */
export function redactBody(text: string, token = ''): string {
  try {
    const value: unknown = JSON.parse(text);
    const before = JSON.stringify(value);
    const after = JSON.stringify(redactSecrets(value, token));
    return before === after ? text : after;
  } catch {
    return redactText(text, token);
  }
}

function redactText(text: string, token: string): string {
  const known = token.length < SHORTEST_TOKEN ? [] : [token, encodeURIComponent(token)];
  return known
    .reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text)
    .replaceAll(SIGNED_TOKEN, REDACTED)
    .replaceAll(SECRET_PARAMETER, `$1=${REDACTED}`);
}
