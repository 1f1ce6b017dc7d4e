/**
 * A scheme, a host and perhaps a port. Errors suggest an origin as an argument of the command, so
 * only the brackets of IPv6 are special to a shell.
 */
const FORM = /^[a-z][a-z\d+.-]*:\/\/([\w.-]+|\[[\da-f:]+\])(:\d+)?$/;

/** Whether the text is an origin exactly as a browser would send it. */
export function isOrigin(text: string): boolean {
  return FORM.test(text) && normalOrigin(text) === text;
}

/** The origin that a URL, or a host with its port, was probably meant to be. */
export function nearestOrigin(text: string): string | undefined {
  const origin = normalOrigin(text.includes('://') ? text : `http://${text}`);
  return origin !== undefined && isOrigin(origin) ? origin : undefined;
}

function normalOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, host } = new URL(text);
  // The URL standard gives schemes such as `tauri` the origin `null`; browsers send this instead.
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Whether an address or host name is reachable from this machine only. `::1` may be in brackets,
 * and IPv4 addresses may be mapped to IPv6, as a dual-stack listener reports them.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
