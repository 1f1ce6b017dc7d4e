import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { createMockServer } from '../../src/index.js';
import type { FetchLike } from '../../src/mock/client/connect-mock-server.js';
import { controlOf } from '../support/control.js';
import type { openapi } from '../support/document.js';

/** A part of the parsed document, untyped: the tests do not rely on generated types. */
type Part = typeof openapi;

/** A request that the client sent, and its response. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly sent: string | undefined;
  readonly status: number;
  readonly received: string;
}

/** Creates a `fetch` that records what is sent and received. */
export function recordExchanges(send: FetchLike = fetch) {
  const exchanges: Exchange[] = [];
  const recording: FetchLike = async (url, init) => {
    const response = await send(url, init);
    const received = await response.text();
    const { method, body: sent } = init;
    exchanges.push({ method, url, sent, status: response.status, received });
    return { status: response.status, headers: response.headers, text: async () => received };
  };
  return { fetch: recording, exchanges };
}

const { body: document } = await controlOf(await createMockServer({ dataset: 'empty' })).get(
  '/control.openapi.json',
);

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** The ids of all operations of `control.openapi.yaml`. */
export const OPERATION_IDS = Object.values<Part>(document.paths).flatMap((item) =>
  Object.values<Part>(item).map(({ operationId }): string => operationId),
);

const pathOf = ({ url }: Exchange) => (url.split('/__control')[1] ?? '').split('?');

/** The operation that the request of an exchange calls; undefined if the document has none. */
export function operationOf(exchange: Exchange): Part | undefined {
  const [path = ''] = pathOf(exchange);
  const template = Object.keys(document.paths)
    .sort((one, other) => one.split('{').length - other.split('{').length)
    .find((known) => new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return document.paths[template ?? '']?.[exchange.method.toLowerCase()];
}

/** How an exchange violates `control.openapi.yaml`, in its path, query or bodies. */
export function violationsOf(exchange: Exchange): string[] {
  const { method, sent, status, received } = exchange;
  const [path, query] = pathOf(exchange);
  const call = `${method} ${path} ${status}`;
  const operation = operationOf(exchange);
  if (!operation) return [`${call}: no such operation`];
  const names: string[] = (operation.parameters ?? []).map((one: Part) => resolve(one).name);
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !names.includes(name));
  const response = resolve(operation.responses[status] ?? {}).content;
  const body = operation.requestBody?.content['application/json'].schema;
  const wrong = [
    // A refused call need not be valid.
    ...(status < 300 ? unknown.map((name) => `unknown parameter ${name}`) : []),
    ...(response ? check(Object.values<Part>(response)[0].schema, received) : ['unknown status']),
    ...(status < 300 && sent !== undefined && body ? check(body, sent) : []),
  ];
  return wrong.map((what) => `${call}: ${what}`);
}

function check(schema: Part, text: string): string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile({ components: document.components, ...schema });
  compiled.set(key, validate);
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function resolve(part: Part): Part {
  if (typeof part.$ref !== 'string') return part;
  const names: string[] = part.$ref.split('/').slice(1);
  return names.reduce((parent: Part, name) => parent[name], document);
}
