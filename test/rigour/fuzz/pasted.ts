import type { Call } from '../server/call.js';

/** What is longer fits in no line of a shell: the case is repeated by its seed. */
const LONGEST = 5_000;

/** The text as a word of a shell, whatever bytes it has. */
function quoted(text: string): string {
  if (text.length > LONGEST) return `${quoted(text.slice(0, 300))}… (${text.length} characters)`;
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escaped = Array.from(Buffer.from(text), (byte) => ESCAPES[byte] ?? shownByte(byte));
  return `$'${escaped.join('')}'`;
}

const ESCAPES: Readonly<Record<number, string>> = { 10: '\\n', 13: '\\r', 39: "\\'", 92: '\\\\' };

function shownByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** The call as a line for a shell, to a mock on its usual port. */
export function curlOf({ method, path, headers = {}, body }: Call): string {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `-H ${quoted(`${name}: ${one}`)}`),
  );
  // No argument of a command holds a NUL.
  const isPiped = Buffer.isBuffer(body);
  const sent = body === undefined ? [] : [`--data-binary ${isPiped ? '@-' : quoted(body)}`];
  const url = quoted(`http://127.0.0.1:4010${path}`);
  const parts = ['curl -i --path-as-is -g', `-X ${quoted(method)}`, ...fields, ...sent, url];
  return `${isPiped ? `${printed(body)} | ` : ''}${parts.join(' ')}`;
}

/** The bytes as a line for a shell, to a mock on its usual port. */
export function printfOf(bytes: Buffer): string {
  return `${printed(bytes)} | nc -N 127.0.0.1 4010`;
}

function printed(bytes: Buffer): string {
  const escaped = Array.from(bytes, (byte) => {
    if (byte === 37) return '%%';
    if (byte === 39 || byte === 92) return `\\x${byte.toString(16)}`;
    return ESCAPES[byte] ?? shownByte(byte);
  });
  return `printf '${escaped.join('')}'`;
}
