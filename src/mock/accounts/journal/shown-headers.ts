import { TOKEN_FORM } from '../../../core/values/bearer-token.js';
import { NOT_SHOWN } from '../../../core/values/received-value.js';
import { REDACTED } from './hide-credentials.js';

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** Fields that hold nothing but credentials; of these, not even who asks is shown the values. */
const CREDENTIALS: readonly string[] = [
  ...['authorization', 'proxy-authorization', 'x-control-token', 'cookie', 'set-cookie'],
];

/** The standard fields of requests and responses, and those of the mock. */
const STANDARD: readonly string[] = [
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
export function byName(fields: readonly HeaderField[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of fields) {
    const lowerCase = name.toLowerCase();
    const before = headers.get(lowerCase);
    headers.set(lowerCase, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

export function headerFieldsOf(headerLines: string): HeaderField[] {
  const lines = headerLines.split('\n');
  return Array.from({ length: Math.floor(lines.length / 2) }, (_, nth) => ({
    name: lines[2 * nth] ?? '',
    value: lines[2 * nth + 1] ?? '',
  }));
}

/** The first value of the field; `name` is in lower case. */
export function fieldIn(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name)?.value;
}

/** A header field as it may be shown: of a credential only its scheme, if it is a known one. */
export function shownField({ name, value }: HeaderField, hasUndocumented: boolean): HeaderField {
  const lowerCase = name.toLowerCase();
  if (CREDENTIALS.includes(lowerCase)) {
    const [, scheme] = /^(bearer|basic|digest) /i.exec(value) ?? [];
    return { name, value: scheme === undefined ? REDACTED : `${scheme} ${REDACTED}` };
  }
  if (!STANDARD.includes(lowerCase)) return { name, value: hasUndocumented ? value : NOT_SHOWN };
  // A URL's userinfo is redacted in any text, but these name a host alone.
  return { name, value: lowerCase.endsWith('host') ? withoutUserinfo(value) : value };
}

export function withoutUserinfo(host: string): string {
  return host.replaceAll(/[^\s,/]+@/g, `${REDACTED}@`);
}

/** The credentials in header fields, without their schemes; skips values that cannot be tokens. */
export function credentialsIn(fields: readonly HeaderField[]): string[] {
  return fields.flatMap(({ name, value }) => {
    const lowerCase = name.toLowerCase();
    if (!CREDENTIALS.includes(lowerCase)) return [];
    if (!lowerCase.endsWith('cookie')) return tokensIn(value.split(' ').slice(-1));
    return tokensIn(value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim()));
  });
}

function tokensIn(words: readonly string[]): string[] {
  return words.filter((word) => TOKEN_FORM.test(word));
}
