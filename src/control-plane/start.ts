import { vary } from '../service/cors.js';
import type { Exchange, Step } from '../service/exchange.js';
import { isOfBrowser } from '../service/find-endpoint.js';
import { respond, respondJson } from '../service/leave.js';
import { PAGE_PATH } from './serve-page.js';

/** Where to begin, health and readiness, with their paths. */
export const UNGUARDED = { getStart: '/', getHealth: '/health', getReadiness: '/ready' } as const;

/** Answers health and readiness before every check, so that a container can be probed. */
export function answerHealth(version: string): Step {
  return (exchange) => {
    const { path } = exchange;
    const isHealth = path === UNGUARDED.getHealth || path === UNGUARDED.getReadiness;
    if (isHealth && isRead(exchange)) respondJson(exchange, 200, { status: 'ok', version });
  };
}

/** Says where to begin, without a token; sends a browser to the page, if there is one. */
export function answerStart(hasPage: boolean): Step {
  return (exchange) => {
    const { path, basePath } = exchange;
    if (path !== UNGUARDED.getStart || !isRead(exchange)) return;
    const page = basePath + PAGE_PATH;
    vary(exchange, 'Accept');
    if (hasPage && isOfBrowser(exchange)) return respond(exchange, 302, { Location: page });
    respondJson(exchange, 200, {
      health: basePath + UNGUARDED.getHealth,
      document: `${basePath}/control.openapi.json`,
      ...(hasPage && { page }),
    });
  };
}

function isRead({ method }: Exchange): boolean {
  return ['GET', 'HEAD'].includes(method);
}
