import { useState } from 'preact/hooks';
import { EXAMPLE_TOKEN, type Schemas } from '../connection/call.js';
import { Button } from '../parts/controls.js';

type HarRequest = Schemas['HarRequest'];

interface CopyButtonsProps {
  readonly texts: readonly (readonly [label: string, text: () => string])[];
}

/** Says behind the last button what was copied, so that no button moves below the pointer. */
export function CopyButtons({ texts }: CopyButtonsProps) {
  const [copied, setCopied] = useState('');
  const copy = async (label: string, text: string) => {
    await navigator.clipboard.writeText(text);
    setCopied(`${label.replace('Copy', 'Copied')}.`);
  };
  return (
    <>
      {texts.map(([label, text]) => (
        <Button key={label} onClick={() => copy(label, text())}>
          {label}
        </Button>
      ))}
      <span role="status">{copied}</span>
    </>
  );
}

interface CopyProps {
  /** The id of its account; undefined if it has none that is open. */
  readonly account: string | undefined;
  readonly request: HarRequest;
  readonly status: number;
}

export function CopyRequest({ account, request, status }: CopyProps) {
  // The journal has no token, but the id of an open account works in place of its own.
  const bearer = `Bearer ${account ?? EXAMPLE_TOKEN}`;
  const texts: CopyButtonsProps['texts'] = [
    ['Copy as curl', () => asCurl(request, bearer)],
    ['Copy as fetch', () => asFetch(request, JSON.stringify(request.url), JSON.stringify(bearer))],
    ...(status > 0 ? [['Copy as test', () => asTest(request, status)] as const] : []),
  ];
  return (
    <p class="bar">
      <CopyButtons texts={texts} />
    </p>
  );
}

/** Header fields that clients set themselves. */
const OWN_FIELDS =
  /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|sec-.*)$/;

function asCurl({ method, url, headers, postData }: HarRequest, bearer: string): string {
  const fields = fieldsOf(headers);
  const sent = fields.map(([name, value]) => {
    const field = name === 'authorization' ? `Authorization: ${bearer}` : `${name}: ${value}`;
    return `-H ${quoted(field)}`;
  });
  const hasType = fields.some(([name]) => name === 'content-type');
  const body = postData
    ? // Without a Content-Type, curl would send that of a form.
      [...(hasType ? [] : ["-H 'Content-Type:'"]), `--data-raw ${quoted(postData.text)}`]
    : [];
  // Else curl takes brackets in the URL for a pattern, and waits for the body of a HEAD.
  const options = ['--globoff', ...(method === 'HEAD' ? ['--head'] : ['-X', method])];
  return ['curl', ...options, ...sent, ...body, quoted(url)].join(' ');
}

/** The request as JavaScript; `address` and `bearer` are expressions. */
function asFetch(
  { method, headers, postData }: HarRequest,
  address: string,
  bearer: string,
): string {
  const fields = fieldsOf(headers).map(([name, value]) =>
    name === 'authorization'
      ? `    Authorization: ${bearer},`
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
  const sent = asFetch(request, `mock.url + ${below}`, `\`Bearer \${mock.token}\``);
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
