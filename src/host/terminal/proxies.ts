import http from 'node:http';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** What Node has had since 24.14. */
interface ProxiesOfNode {
  setGlobalProxyFromEnv?(): unknown;
}

/**
 * Makes `fetch` go through the proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Returns what to add
 * to the error if a request fails; undefined if none of them is set.
 */
export function useProxies(): string | undefined {
  const variable = VARIABLES.find((name) => process.env[name]);
  if (variable === undefined) return undefined;
  const { setGlobalProxyFromEnv } = http as ProxiesOfNode;
  if (setGlobalProxyFromEnv === undefined) {
    return `${variable} is set, but Node.js ${process.version} cannot use it: run the command with Node.js 24.14 or later.`;
  }
  setGlobalProxyFromEnv();
  return `${variable} is set: what NO_PROXY does not list goes through that proxy.`;
}
