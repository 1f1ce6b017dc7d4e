import { ProblemError } from '../../core/errors/problem-error.js';
import { byConcreteness } from '../../core/openapi/path-template.js';
import type { MatchedPath, RouteTable } from '../../core/openapi/route-table.js';
import { STUB_METHODS } from '../../core/stubs/stub.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { eitherOf } from '../../core/values/plural.js';
import { cut, shown } from '../../core/values/received-value.js';
import { preflightMethod, vary } from './cross-origin.js';
import type { Exchange, Step } from './exchange.js';
import { schemeOf } from './request-and-response.js';
import { respond } from './respond.js';

/** What the mock serves besides the paths of the document. */
export interface BesideDocument {
  readonly basePath?: string | undefined;
  /** Whether `/` redirects browsers to the page. */
  readonly hasPage?: boolean | undefined;
  /** Further paths, which the error lists with those of the document. */
  readonly others?: readonly string[];
}

/**
 * Answers what calls nothing else: OPTIONS, and a browser at `/`. Refuses unknown paths (404) and
 * methods (405).
 */
export function answerUncalled(routes: RouteTable, beside: BesideDocument): Step {
  return (exchange) => {
    const { endpoint } = exchange.called;
    if (!endpoint) return answerUnknownPath(exchange, routes, beside);
    if (exchange.method === 'OPTIONS') return answerOptions(exchange, endpoint.methods);
    throw explainUnknownMethod(exchange, endpoint);
  };
}

function answerUnknownPath(exchange: Exchange, routes: RouteTable, beside: BesideDocument): void {
  const { basePath = '', hasPage = false, others = [] } = beside;
  const isTop = exchange.path === '/' && ['GET', 'HEAD'].includes(exchange.method);
  const page = `${exchange.basePath}${exchange.isBelow ? '' : basePath}/__control/ui`;
  if (hasPage && isTop && isOfBrowser(exchange)) {
    vary(exchange, 'Accept');
    respond(exchange, 302, { Location: page });
    return;
  }
  if (preflightMethod(exchange) !== undefined) {
    respond(exchange, 204);
    return;
  }
  // `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7).
  if (exchange.method === 'OPTIONS' && exchange.target === '*') {
    answerOptions(exchange, [...new Set(routes.paths.flatMap(({ methods }) => methods))]);
    return;
  }
  const problem =
    exchange.isBelow || basePath === ''
      ? explainUnknownPath(exchange, routes, others)
      : explainMissingBasePath(basePath, exchange.path);
  if (!hasPage || !isTop) throw problem;
  throw new ProblemError(
    'unknown-path',
    `${problem.message} A browser is redirected to the mock's page, ${page}.`,
  );
}

/** Answers OPTIONS with the allowed methods in `Allow` (RFC 9110, section 9.3.7). */
export function answerOptions(exchange: Exchange, methods: readonly string[]): void {
  respond(exchange, 204, { Allow: methods.join(', ') });
}

/** Whether a browser loads the URL as a page. */
export function isOfBrowser({ fields }: Exchange): boolean {
  return /\btext\/html\b/.test(fields.accept ?? '');
}

/** Says that the service itself may have this call, and how to stub it. */
function mayBeRight(method: string, path: string): string {
  const known = "The mock has only the service's known operations";
  const stubbed = STUB_METHODS.find((one) => one === method.replace('HEAD', 'GET'));
  const stub = stubbed && shown({ method: stubbed, path });
  const advice = stub
    ? ` To answer it here, add a stub: POST /__control/stubs with ${stub}, or \`stubs\` in a fixture (docs/stubs.md).`
    : '';
  return `${known}; the service itself may accept this call.${advice}`;
}

function explainUnknownPath(
  exchange: Exchange,
  { paths }: RouteTable,
  others: readonly string[],
): ProblemError {
  const { basePath, path } = exchange;
  const isControl = isForControl(exchange);
  const what = `${isControl ? 'The control plane has' : 'There is'} no path '${cut(basePath + path)}'.`;
  if (/^\/__control(\/|$)/.test(path)) {
    const advice = 'start it without --no-control (`control: false` in the library).';
    return new ProblemError('unknown-path', `${what} This mock has no control plane: ${advice}`);
  }
  const templates = [...others, ...paths.map(({ template }) => template)];
  const meant = nearestOf(path, templates);
  const guess = meant && `Did you mean '${cut(basePath + meant)}'?`;
  const inShort = [what, guess].filter(Boolean).join(' ');
  const known = `Expected one of ${templates.map((template) => basePath + template).join(', ')}.`;
  const advice = isControl
    ? `Expected one that GET ${basePath}/control.openapi.json describes.`
    : `${known} ${mayBeRight(exchange.method, path)} ${callToTry(exchange)}`;
  const detail = `${inShort} ${advice}`;
  return new ProblemError('unknown-path', detail, { inShort });
}

function callToTry({ request, fields, basePath }: Exchange): string {
  const url = `${schemeOf(request.caller)}://${fields.host ?? '127.0.0.1:4010'}${basePath}`;
  return `Try: curl -H 'Authorization: Bearer my-token' '${url}/measurements?limit=2'`;
}

function isForControl({ basePath }: Exchange): boolean {
  return basePath.endsWith('/__control');
}

/** The refusal (405) of a method that the path does not have. */
function explainUnknownMethod(
  exchange: Exchange,
  { template, routes, methods, stubs = [] }: MatchedPath,
): ProblemError {
  const { basePath, method, path } = exchange;
  const operations = [...routes]
    .filter(([known]) => known !== 'HEAD')
    .map(([known, { operationId }]) => `${known} (${operationId})`);
  const outlook = isForControl(exchange)
    ? 'The control plane has no other operation at this path.'
    : mayBeRight(method, path);
  const inShort = `${basePath}${template} was called with ${method}; expected ${eitherOf([...operations, ...stubs])}.`;
  return new ProblemError('method-not-allowed', `${inShort} ${outlook}`, {
    headers: { Allow: methods.join(', ') },
    inShort,
  });
}

function explainMissingBasePath(basePath: string, path: string): ProblemError {
  return new ProblemError(
    'unknown-path',
    `There is no path '${cut(path)}'. The mock answers below ${basePath}: expected a path such as ${basePath}/measurements. Add ${basePath} to the client's base URL.`,
  );
}

/** The path that was probably meant: without stray slashes, or with those of its value encoded. */
function nearestOf(path: string, templates: readonly string[]): string | undefined {
  const concreteFirst = [...templates].sort(byConcreteness);
  // A base URL that ends with a slash doubles it.
  const single = path.replaceAll(/\/{2,}/g, '/');
  return [path, single, single.replace(/\/$/, '')]
    .flatMap((one) => concreteFirst.map((template) => correct(one, template)))
    .concat(concreteFirst.map((template) => withEncodedSlashes(path, template)))
    .find(Boolean);
}

/** The path with the template's fixed parts, if its own are nearly the same. */
function correct(path: string, template: string): string | undefined {
  const received = path.split('/');
  const parts = template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? received[index] || part : part));
  const isLike =
    parts.length === received.length &&
    parts.every(
      (part, index) =>
        part.startsWith('{') || part === received[index] || didYouMean(received[index], [part]),
    );
  return isLike ? parts.join('/') : undefined;
}

/** The path with the slashes in the last value as `%2F`, if it begins as the template does. */
function withEncodedSlashes(path: string, template: string): string | undefined {
  const beginning = template.slice(0, template.lastIndexOf('{'));
  if (!template.endsWith('}') || !path.startsWith(beginning)) return undefined;
  return beginning + path.slice(beginning.length).replaceAll('/', '%2F');
}
