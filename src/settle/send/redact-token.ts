const REPLACEMENT = '[token]';

/** Replaces a token in a text. */
export type RedactToken = (text: string) => string;

/** Shorter tokens are words that occur anyway: they are replaced only between other characters. */
const SHORTEST_SECRET = 8;

/** Creates what replaces a token, however it is written: in JSON or percent-encoded, too. */
export function createRedactToken(token: string | undefined): RedactToken {
  if (token === undefined) return (text) => text;
  const forms = new Set([
    token,
    JSON.stringify(token).slice(1, -1),
    token.replaceAll('/', '\\/'),
    encodeURIComponent(token),
  ]);
  const isSecret = token.length >= SHORTEST_SECRET;
  const patterns = [...forms].map((form) => {
    const escaped = form.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    return isSecret ? escaped : `(?<![\\w-])${escaped}(?![\\w-])`;
  });
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replaceAll(pattern, REPLACEMENT);
}

/** A value with the token replaced in every text of it. */
export function redactAll<Value>(value: Value, redact: RedactToken): Value {
  return redacted(value, redact) as Value;
}

function redacted(value: unknown, redact: RedactToken): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [redact(name), redacted(member, redact)]),
  );
}
