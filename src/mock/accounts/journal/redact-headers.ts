import { TOKEN_FORM } from '../../../core/values/bearer-token.js';
import { isSecretName, REDACTED, type Redaction } from './redact-secrets.js';

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
export function describeField({ name, value }: HeaderField, redaction: Redaction): HeaderField {
  const lowerCase = name.toLowerCase();
  if (lowerCase.endsWith('location')) return { name, value: redaction.fields(value) };
  if (SHOWN.includes(lowerCase)) return { name, value: redaction.text(value) };
  const [, scheme] = /^(bearer|basic|digest) /i.exec(value) ?? [];
  return { name, value: scheme === undefined ? REDACTED : `${scheme} ${REDACTED}` };
}

/** The credentials in header fields, without their schemes; skips values that cannot be tokens. */
export function credentialsIn(fields: readonly HeaderField[]): string[] {
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
