import type { ReceivedResponse } from './check-response.js';

/** The responses in what came over a connection, and what is left over. */
export interface RawResponses {
  readonly responses: readonly ReceivedResponse[];
  /** What is no whole response; empty if all are. */
  readonly rest: string;
}

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/;

/** Reads responses off bytes, given as latin1 text. One to HEAD has the length of a body and none. */
export function readResponses(received: string, mayHaveHead: boolean): RawResponses {
  const responses: ReceivedResponse[] = [];
  let rest = received;
  for (;;) {
    const [head, code, lines = ''] = HEAD.exec(rest) ?? [];
    if (head === undefined) return { responses, rest };
    const headers = fieldsOf(lines);
    const after = rest.slice(head.length);
    const isBodyless =
      /^(1\d\d|204|304)$/.test(code ?? '') || (mayHaveHead && /^(HTTP\/1|$)/.test(after));
    const body = isBodyless ? { text: '', rest: after } : readBody(after, headers);
    if (!body) return { responses, rest };
    responses.push({ status: Number(code), headers, text: utf8(body.text) });
    rest = body.rest;
  }
}

function fieldsOf(lines: string): Record<string, string> {
  const fields = lines.split('\r\n').map((line) => line.split(/: ?(.*)/s));
  return Object.fromEntries(fields.map(([name = '', value = '']) => [name.toLowerCase(), value]));
}

function readBody(
  after: string,
  headers: Readonly<Record<string, string>>,
): { readonly text: string; readonly rest: string } | undefined {
  if (headers['transfer-encoding'] !== undefined) return readChunks(after);
  const length = headers['content-length'];
  // Without a length it ends with the connection.
  if (length === undefined) return { text: after, rest: '' };
  if (after.length < Number(length)) return undefined;
  return { text: after.slice(0, Number(length)), rest: after.slice(Number(length)) };
}

/** A chunked body; one that is still open, as that of a stream, ends with what there is of it. */
function readChunks(after: string) {
  let text = '';
  let rest = after;
  for (;;) {
    const [line, size = ''] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    if (line === undefined) return { text, rest };
    const length = Number.parseInt(size, 16);
    text += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
    if (length === 0) return { text, rest };
  }
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}
