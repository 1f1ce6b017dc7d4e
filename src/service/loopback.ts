const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Whether an address or host name is reachable from this machine alone: an IPv6 address in brackets
 * too, and an IPv4 address as a listener on both shows it.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
