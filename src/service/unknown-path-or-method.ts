import { ProblemError } from '../errors/problem-error.js';
import { byConcreteness } from '../openapi/path-template.js';
import type { MatchedPath, RouteTable } from '../openapi/route-table.js';
import { STUB_METHODS } from '../stubs/stub.js';
import { didYouMean } from '../values/did-you-mean.js';
import { cut, shown } from '../values/received-value.js';
import { preflightMethod, vary } from './cross-origin.js';
import type { Exchange } from './exchange.js';
import { schemeOf } from './request-and-response.js';
import { respond } from './respond.js';

/** What the mock serves besides the paths of the document. */
export interface BesideDocument {
  readonly basePath?: string;
  /** Whether something other than an operation answers a path. */
  readonly isKnown?: (exchange: Exchange, path: string) => boolean;
  /** Whether `/` redirects browsers to the page. */
  readonly hasPage?: boolean | undefined;
  /** Further paths, which the error lists with those of the document. */
  readonly others?: readonly string[];
}

export function answerUnknownPath(
  exchange: Exchange,
  routes: RouteTable,
  beside: BesideDocument,
): void {
  const { basePath = '', isKnown = () => false, hasPage = false, others = [] } = beside;
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
  const problem = exchange.isBelow
    ? explainUnknownPath(exchange, routes, others)
    : explainMissingBasePath(
        basePath,
        exchange.path,
        (path) => routes.match(path) !== undefined || isKnown(exchange, path),
      );
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
  table: RouteTable,
  others: readonly string[],
): ProblemError {
  const { basePath, path } = exchange;
  const full = cut(basePath + path);
  const mistake = LIKELY_CAUSES.find(({ looksLike }) => looksLike(path, table));
  const isControl = isForControl(exchange);
  const what = isControl
    ? `The control plane has no path '${full}'.`
    : `There is no path '${full}'.`;
  if (mistake)
    return new ProblemError('unknown-path', `${what} ${mistake.advice(basePath + path)}`);
  const templates = [...others, ...table.paths.map(({ template }) => template)];
  const inShort = [what, guess(exchange, templates)].filter(Boolean).join(' ');
  const detail = `${inShort} ${listOperations(exchange, templates, table)}`;
  return new ProblemError('unknown-path', detail, { inShort });
}

function isForControl({ basePath }: Exchange): boolean {
  return basePath.endsWith('/__control');
}

/** The refusal (405) of a method that the path does not have. */
export function explainUnknownMethod(
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
  const inShort = `${basePath}${template} was called with ${method}; expected ${[...operations, ...stubs].join(' or ')}.`;
  return new ProblemError('method-not-allowed', `${inShort} ${outlook}`, {
    headers: { Allow: methods.join(', ') },
    inShort,
  });
}

function explainMissingBasePath(
  basePath: string,
  path: string,
  isKnown: (path: string) => boolean,
): ProblemError {
  const slashed = singleSlashes(path);
  const below = slashed.startsWith(`${basePath}/`) ? slashed.slice(basePath.length) : slashed;
  const expected = isKnown(below)
    ? `'${cut(basePath + below)}'`
    : `a path such as ${basePath}/measurements`;
  return new ProblemError(
    'unknown-path',
    `There is no path '${cut(path)}'. The mock answers below ${basePath}: expected ${expected}. Add ${basePath} to the client's base URL.`,
  );
}

interface LikelyCause {
  readonly looksLike: (path: string, table: RouteTable) => boolean;
  readonly advice: (path: string) => string;
}

const LIKELY_CAUSES: readonly LikelyCause[] = [
  {
    looksLike: (path, table) =>
      path.includes('//') && table.match(singleSlashes(path)) !== undefined,
    advice: (path) =>
      `It has two slashes in a row; expected '${cut(singleSlashes(path))}'. The usual cause is a base URL that ends with a slash: remove that slash. A slash within a value is sent as %2F.`,
  },
  {
    looksLike: (path, { paths }) =>
      paths.some(({ template }) => template.replace(/\{[^{}]+\}$/, '') === path),
    advice: (path) =>
      `The value after '${path}' is empty. Check what the client puts into the path.`,
  },
  {
    looksLike: (path, table) => path.endsWith('/') && table.match(path.slice(0, -1)) !== undefined,
    advice: (path) =>
      `It ends with a slash; expected '${cut(path.slice(0, -1))}'. Paths are matched strictly: remove the slash.`,
  },
  {
    looksLike: (path, table) => table.match(path.toLowerCase()) !== undefined,
    advice: () => 'Paths are matched case-sensitively: write the fixed parts in lower case.',
  },
  {
    looksLike: (path) => /^\/__control(\/|$)/.test(path),
    advice: () =>
      'This mock has no control plane: start it without --no-control (`control: false` in the library).',
  },
];

function singleSlashes(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/');
}

/** Asks whether a similar path was meant, or one with an encoded slash. */
function guess({ basePath, path }: Exchange, templates: readonly string[]): string | undefined {
  const concreteFirst = [...templates].sort(byConcreteness);
  const nearest = concreteFirst.map((template) => correct(path, template)).find(Boolean);
  if (nearest) return `Did you mean '${cut(basePath + nearest)}'?`;
  const beginnings = templates
    .filter((template) => template.endsWith('}'))
    .map((template) => template.slice(0, template.lastIndexOf('{')))
    .filter((beginning) => path.startsWith(beginning))
    .sort((one, other) => other.length - one.length);
  const [longest] = beginnings;
  if (longest === undefined) return undefined;
  const meant = longest + path.slice(longest.length).replaceAll('/', '%2F');
  return `A slash within a value is sent as %2F: did you mean '${cut(basePath + meant)}'?`;
}

/** The path with the template's fixed parts, if its own are nearly the same. */
function correct(path: string, template: string): string | undefined {
  const received = path.split('/');
  const parts = template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? (received[index] ?? '') : part));
  const isLike =
    parts.length === received.length &&
    parts.every((part, index) => part === received[index] || didYouMean(received[index], [part]));
  return isLike ? parts.join('/') : undefined;
}

const MOST_OPERATIONS = 10;

function listOperations(
  { request, fields, basePath, path, method }: Exchange,
  templates: readonly string[],
  { paths }: RouteTable,
): string {
  const operations = paths.flatMap(({ template, routes }) =>
    [...routes.keys()].filter((one) => one !== 'HEAD').map((one) => `${one} ${template}`),
  );
  if (operations.length > MOST_OPERATIONS) {
    return `Expected one of ${templates.map((template) => basePath + template).join(', ')}.`;
  }
  const url = `${schemeOf(request.caller)}://${fields.host ?? '127.0.0.1:4010'}${basePath}`;
  return `Expected one of ${operations.join(', ')}. ${mayBeRight(method, path)} Try: curl -H 'Authorization: Bearer my-token' '${url}/measurements?limit=2'`;
}
