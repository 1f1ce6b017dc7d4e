const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Whether an address or host name, an IPv6 one in brackets too, is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
