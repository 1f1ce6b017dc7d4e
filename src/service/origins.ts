/** A scheme, a host and a port; nothing that a shell would read as more than a word. */
const FORM = /^[a-z][a-z\d+.-]*:\/\/([\w.-]+|\[[\da-f:]+\])(:\d+)?$/;

/** Whether a browser sends the text, as it is written, as the Origin of a page. */
export function isOrigin(text: string): boolean {
  return FORM.test(text) && normalOrigin(text) === text;
}

/** The origin that was probably meant by a text that is none, such as a URL or a host with its port. */
export function nearestOrigin(text: string): string | undefined {
  const origin = normalOrigin(text.includes('://') ? text : `http://${text}`);
  return origin !== undefined && isOrigin(origin) ? origin : undefined;
}

function normalOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, host } = new URL(text);
  // The URL standard gives other schemes no origin; browsers send this.
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Whether an address or host name is reachable from this machine alone: an IPv6 address in brackets
 * too, and an IPv4 address as a listener on both shows it.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
