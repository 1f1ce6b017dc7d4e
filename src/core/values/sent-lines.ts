import { cut, shown } from './received-value.js';

interface SentRequest {
  readonly headers: object;
  readonly body?: unknown;
  readonly detail?: string | undefined;
}

/** Header fields that clients add by themselves. */
const OF_CLIENTS =
  /^(accept|accept-.*|authorization|cache-control|connection|content-(length|type)|cookie|dnt|host|origin|pragma|priority|referer|sec-.*|transfer-encoding|upgrade-.*|user-agent)$/;

/** What a request sent besides its target, and why it was refused, for a person. */
export function sentLines({ headers, body, detail }: SentRequest): string[] {
  const fields = Object.entries(headers)
    .filter(([name]) => detail !== undefined && !OF_CLIENTS.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [
    ...(fields.length === 0 ? [] : [`with ${cut(fields.join(', '))}`]),
    ...(body === undefined ? [] : [`sent ${shown(body)}`]),
    ...(detail === undefined ? [] : [cut(detail)]),
  ];
}
