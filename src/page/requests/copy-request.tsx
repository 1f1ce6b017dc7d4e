import { useState } from 'preact/hooks';
import type { Schemas } from '../connection/call.js';
import { Button } from '../parts/controls.js';

type HarRequest = Schemas['HarRequest'];

interface ButtonProps {
  readonly label: string;
  readonly text: () => string;
}

/** Copies a text, and says so. */
export function CopyButton({ label, text }: ButtonProps) {
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

/** Copies a request as a call to run again. */
export function CopyRequest({ request }: { readonly request: HarRequest }) {
  return (
    <p class="bar">
      <CopyButton label="Copy as curl" text={() => asCurl(request)} />
      <CopyButton label="Copy as fetch" text={() => asFetch(request)} />
    </p>
  );
}

/** Set by the client itself. */
const OWN_FIELDS = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'transfer-encoding',
];

/** The request as a command of a shell; the token is a variable, since the journal does not have it. */
function asCurl({ method, url, headers, postData }: HarRequest): string {
  const fields = fieldsOf(headers).map(([name, value]) =>
    name === 'authorization'
      ? '-H "Authorization: Bearer $TOKEN"'
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const body = postData ? [`--data-raw ${quoted(postData.text)}`] : [];
  return ['curl', '-X', method, ...fields, ...body, quoted(url)].join(' ');
}

/** The request as JavaScript. */
function asFetch({ method, url, headers, postData }: HarRequest): string {
  const fields = fieldsOf(headers).map(([name, value]) =>
    name === 'authorization'
      ? '    Authorization: `Bearer $' + '{token}`,'
      : `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    `await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(fields.length > 0 ? ['  headers: {', ...fields, '  },'] : []),
    ...(postData ? [`  body: ${JSON.stringify(postData.text)},`] : []),
    '});',
  ].join('\n');
}

function fieldsOf(headers: HarRequest['headers']): [name: string, value: string][] {
  return headers
    .map(({ name, value }): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !OWN_FIELDS.includes(name) && !name.startsWith('sec-'));
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
