import type { Running } from './billing-service.js';

/** What was recorded of a service, whether or not it is still running. */
type Recording = Pick<Running, 'url' | 'recorded'>;

/** A HAR of all exchanges, whatever the token, as a proxy would record them. */
export function recordingOf(service: Recording): string {
  return JSON.stringify({ log: { version: '1.2', entries: entriesOf(service) } });
}

/** The entries of a HAR, with all that a recorder can have of them. */
export function entriesOf({ url, recorded }: Recording) {
  return recorded.map(({ method, path, query, token, body, reply, atMs }) => ({
    startedDateTime: new Date(atMs).toISOString(),
    request: {
      method,
      url: `${url}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers: pairsOf({
        Host: new URL(url).host,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== '' && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
        }),
      }),
      queryString: [...query].map(([name, value]) => ({ name, value })),
      bodySize: Buffer.byteLength(body),
      ...(body !== '' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: reply.status,
      headers: pairsOf(reply.headers),
      content: { size: Buffer.byteLength(reply.text), mimeType: reply.type, text: reply.text },
      bodySize: Buffer.byteLength(reply.text),
    },
  }));
}

function pairsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
