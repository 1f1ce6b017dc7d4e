import type { Input } from '../../core/openapi/judge.js';
import type { MatchedPath } from '../../core/openapi/route-table.js';
import type { Specification, SpecificationFor } from '../../core/openapi/specification-in-force.js';
import { type Called, type DocumentedCall, NOTHING } from './called.js';
import type { Exchange, OperationExchange, Step } from './exchange.js';
import { type StubSources, stubsOf, withStubs } from './find-stub.js';
import { setTarget } from './read-target.js';

interface Sources extends StubSources {
  readonly specification: Specification;
  readonly hasControl: boolean;
  /** Whether the option `routes` is given. */
  readonly hasRoutes: boolean;
}

const CONTROL = '/__control';
const OF_CONTROL: Called = { kind: 'control', endpoint: undefined };

const NO_INPUT: Input = { path: {}, query: {}, body: undefined };
const UNANSWERED = { sentQuery: undefined, input: NO_INPUT, result: undefined };

/** Never reach `routes`: the mock answers OPTIONS, and a `Request` forbids the others. */
const UNROUTED = ['OPTIONS', 'CONNECT', 'TRACE', 'TRACK'];

/**
 * Decides what the request calls. Of stubs, those of its account come before those for every
 * caller; if only other methods are stubbed, the 405 will list them.
 */
export function findCalled(sources: Sources): Step {
  return (exchange) => {
    exchange.called = calledBy(exchange, sources);
  };
}

function calledBy(exchange: Exchange, sources: Sources): Called {
  const { path, method, fields } = exchange;
  const { specification, hasControl, hasRoutes } = sources;
  if (hasControl && (path === CONTROL || path.startsWith(`${CONTROL}/`))) {
    setTarget(exchange, CONTROL, exchange.target);
    // The control plane is reachable both with and without the base path.
    exchange.isBelow = true;
    return OF_CONTROL;
  }
  if (!exchange.isBelow) return NOTHING;
  const endpoint = specification.routes.match(path);
  const operation = operationAt(endpoint, exchange, 'operation', specification);
  if (operation) return operation;
  const stubs = stubsOf(fields, path, sources);
  const stubbed = method === 'HEAD' ? 'GET' : method;
  const stub = stubs.find((candidate) => candidate.method === stubbed);
  if (stub) return { kind: 'stub', endpoint, stub };
  const isRouted = hasRoutes && !UNROUTED.includes(method);
  const known = stubs.length > 0 ? withStubs(endpoint, stubs) : endpoint;
  return { kind: isRouted ? 'routes' : 'nothing', endpoint: known };
}

/** The call of the operation that the path has for the method, if it has one. */
export function operationAt(
  endpoint: MatchedPath | undefined,
  exchange: Exchange,
  kind: DocumentedCall['kind'],
  specification: Specification,
): DocumentedCall | undefined {
  const route = endpoint?.routes.get(exchange.method);
  if (!endpoint || !route) return undefined;
  // No document describes HEAD.
  if (exchange.method === 'HEAD') exchange.method = 'GET';
  return { kind, endpoint, route, specification, ...UNANSWERED };
}

/** Fixes the specification that results from the decisions of the account. */
export function adoptSpecification(specificationFor: SpecificationFor): Step<OperationExchange> {
  return ({ account, decisions, called }) => {
    const { operationId } = called.route;
    const { keepsUndocumented } = account.store.bases;
    called.specification = specificationFor(decisions.inForce, keepsUndocumented);
    const route = called.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    called.route = route;
  };
}
