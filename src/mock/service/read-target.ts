import type { Exchange, Step } from './exchange.js';

export function readTarget(basePath: string): Step {
  return (exchange) => {
    const target = originForm(exchange.target);
    const rest = target.slice(basePath.length);
    exchange.isBelow = target.startsWith(basePath) && /^([/?]|$)/.test(rest);
    setTarget(exchange, exchange.isBelow ? basePath : '', target);
  };
}

/** Moves the beginning of the target to the base path, and splits the rest into path and query. */
export function setTarget(exchange: Exchange, beginning: string, target: string): void {
  const rest = target.slice(beginning.length);
  exchange.basePath += beginning;
  exchange.target = beginning === '' || rest.startsWith('/') ? rest : `/${rest}`;
  const mark = exchange.target.indexOf('?');
  exchange.path = mark === -1 ? exchange.target : exchange.target.slice(0, mark);
  exchange.query = mark === -1 ? '' : exchange.target.slice(mark + 1);
}

/** The target without the origin that requests to a proxy include (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const withoutOrigin = target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  // A target with another scheme becomes an unknown path.
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}
