import type { Step } from './exchange.js';
import type { ResponseCache } from './response-cache.js';

/** Validates what the operation returned; a response that does not match the document becomes a 500. */
export function judgeResponse(responseCache: ResponseCache): Step {
  return (exchange) => {
    const { result, route, specification } = exchange;
    if (!result || !route || !specification) return;
    const called = { template: route.template, method: exchange.method };
    responseCache.judge(specification.judge, called, result);
  };
}
