import { useState } from 'preact/hooks';
import type { Schemas } from '../connection/call.js';
import { Button } from '../parts/controls.js';

type HarRequest = Schemas['HarRequest'];

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(`${label.replace('Copy', 'Copied')}.`);
  };
  return (
    <>
      <Button onClick={copy}>{label}</Button>
      <span role="status">{copied}</span>
    </>
  );
}

export function CopyRequest({ request, status }: { request: HarRequest; status: number }) {
  return (
    <p class="bar">
      <CopyButton label="Copy as curl" text={() => asCurl(request)} />
      <CopyButton label="Copy as fetch" text={() => asFetch(request)} />
      {status > 0 && <CopyButton label="Copy as test" text={() => asTest(request, status)} />}
    </p>
  );
}

/** Header fields that clients set themselves. */
const OWN_FIELDS =
  /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|sec-.*)$/;

/** The token is a variable, because the journal does not have it. */
function asCurl({ method, url, headers, postData }: HarRequest): string {
  const fields = fieldsOf(headers).map(([name, value]) =>
    name === 'authorization'
      ? '-H "Authorization: Bearer $TOKEN"'
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const body = postData ? [`--data-raw ${quoted(postData.text)}`] : [];
  return ['curl', '-X', method, ...fields, ...body, quoted(url)].join(' ');
}

/** The request as JavaScript; in a test, a kit gives the address of the mock and the token. */
function asFetch(
  { method, url, headers, postData }: HarRequest,
  address = JSON.stringify(url),
  token = 'token',
): string {
  const fields = fieldsOf(headers).map(([name, value]) =>
    name === 'authorization'
      ? `    Authorization: \`Bearer \${${token}}\`,`
      : `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    `await fetch(${address}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(fields.length > 0 ? ['  headers: {', ...fields, '  },'] : []),
    ...(postData ? [`  body: ${JSON.stringify(postData.text)},`] : []),
    '});',
  ].join('\n');
}

/**
 * The request as a test for Jest or Vitest, which passes if the account has the same records and
 * settings as before the request.
 */
function asTest(request: HarRequest, status: number): string {
  const { pathname, search } = new URL(request.url);
  const below = JSON.stringify(pathname + search);
  const sent = asFetch(request, `mock.url + ${below}`, 'mock.token');
  return [
    `test(${JSON.stringify(`${request.method} ${pathname} responds with ${status}`)}, async () => {`,
    ...`const response = ${sent}`.split('\n').map((line) => `  ${line}`),
    `  expect(response.status).toBe(${status});`,
    '});',
  ].join('\n');
}

function fieldsOf(headers: HarRequest['headers']): [name: string, value: string][] {
  return headers
    .map(({ name, value }): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !OWN_FIELDS.test(name));
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
