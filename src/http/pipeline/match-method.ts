import { answerOptions, explainUnknownMethod } from './allowed-methods.js';
import { createStep } from './exchange.js';

/** Finds the operation of the path; answers OPTIONS, and refuses other methods with 405. */
export const matchMethod = createStep(['path'], (exchange, request, response, next) => {
  const { routes, methods } = exchange.path;
  if (request.method === 'OPTIONS') return answerOptions(response, methods);
  const route = routes.get(request.method);
  if (!route) throw explainUnknownMethod(request, exchange.path);
  exchange.route = route;
  // The validator knows no HEAD; Node leaves the body of its answer out.
  if (request.method === 'HEAD') {
    exchange.method = 'HEAD';
    request.method = 'GET';
  }
  next();
});
