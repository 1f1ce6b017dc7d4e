import {
  documentedBy,
  documentedPart,
  documentedQuery,
} from '../../../core/openapi/documented-part.js';
import { valuesOfPath } from '../../../core/openapi/path-template.js';
import type { SchemaAt } from '../../../core/openapi/references.js';
import { NOT_SHOWN, percentDecoded } from '../../../core/values/received-value.js';
import { hiderOf, type IsToken } from './hide-credentials.js';
import { valueOfBody } from './note-body.js';
import type { NotedRequest, NotedResponse } from './noted-request.js';
import {
  credentialsIn,
  fieldIn,
  type HeaderField,
  headerFieldsOf,
  shownField,
} from './shown-headers.js';

/**
 * Which values of requests are shown: `all`, as to somebody who asks for them; or `documented`, in
 * what the mock writes of itself: those that the document, the table of standard header fields or a
 * stub names, and those that the mock made. Credentials are never shown.
 */
export const SHOWN_VALUES = ['all', 'documented'] as const;
export type ShownValues = (typeof SHOWN_VALUES)[number];

export interface Reader {
  readonly values: ShownValues;
  readonly isToken?: IsToken | undefined;
}

/** What is shown of a request, as far as it is known. */
export type Sent = Pick<NotedRequest, 'target' | 'headerLines'> &
  Partial<Pick<NotedRequest, 'template' | 'documented' | 'operationId' | 'stub'>> &
  Partial<Pick<NotedRequest, 'body' | 'refusal' | 'chosen'>>;

/** The one way in which a request and its response leave the mock: as this reader may see them. */
export class ShownRequest {
  readonly #sent: Sent;
  readonly #values: ShownValues;
  readonly #fields: readonly HeaderField[];
  readonly #schemaAt: SchemaAt;
  /** Redacts credentials in a copy of what quotes the request. */
  readonly hide: ReturnType<typeof hiderOf>;

  constructor(sent: Sent, { values, isToken }: Reader) {
    this.#sent = sent;
    this.#values = values;
    this.#fields = headerFieldsOf(sent.headerLines);
    this.#schemaAt = sent.documented ?? (() => undefined);
    this.hide = hiderOf({ tokens: credentialsIn(this.#fields), isToken });
  }

  get path(): string {
    return this.hide(partsOf(this.#sent).path);
  }

  get query(): string | undefined {
    const { query } = partsOf(this.#sent);
    if (query === undefined) return undefined;
    return this.hide(this.#showsAll ? query : documentedQuery(query, this.#isDocumented('query')));
  }

  get target(): string {
    const { path, query } = this;
    return query === undefined ? path : `${path}?${query}`;
  }

  /** The path and query parameters by name, decoded if they can be. */
  get parameters(): Record<string, unknown> | undefined {
    const { template } = this.#sent;
    if (template === undefined) return undefined;
    const { path, query } = partsOf(this.#sent);
    const parameters = new Map<string, unknown>();
    for (const [name, value] of Object.entries(valuesOfPath(template, path)))
      parameters.set(name, percentDecoded(value) ?? value);
    const values = new URLSearchParams(query);
    const shown = documentedPart(
      Object.fromEntries([...values.keys()].map((name) => [name, valuesOf(values, name)])),
      this.#showsAll ? () => true : this.#isDocumented('query'),
    );
    for (const [name, value] of Object.entries(shown as object)) parameters.set(name, value);
    return this.hide(Object.fromEntries(parameters));
  }

  get fields(): HeaderField[] {
    return this.#shownFields(this.#fields);
  }

  /** The body: parsed JSON, or other text; undefined if none is known. */
  get body(): unknown {
    const { body } = this.#sent;
    if (typeof body !== 'string') return body;
    if (this.#showsAll) return this.hide(valueOfBody(body));
    return body === '' ? body : this.hide(this.#documentedBody(body));
  }

  /** The body as text, which may have members twice; undefined if it was not kept. */
  get bodyText(): string | undefined {
    const { body } = this.#sent;
    if (typeof body !== 'string') return undefined;
    if (this.#showsAll) return this.hide(body);
    const shown = this.body;
    return typeof shown === 'string' ? shown : JSON.stringify(shown);
  }

  get detail(): string | undefined {
    const { refusal, chosen } = this.#sent;
    return this.hide((this.#showsAll ? undefined : chosen?.detail) ?? refusal?.detail);
  }

  responseFields({ headerLines }: NotedResponse): HeaderField[] {
    return this.#shownFields(headerFieldsOf(headerLines));
  }

  /** The response's body: parsed JSON, or other text; undefined if it was not kept. */
  responseBody(response: NotedResponse): unknown {
    const text = this.#responseText(response);
    return response.isBase64 ? this.responseText(response) : text && this.hide(valueOfBody(text));
  }

  /** The text of the response's body, or its base64; undefined if it was not kept. */
  responseText(response: NotedResponse): string | undefined {
    const text = this.#responseText(response);
    if (!text || !response.isBase64 || text === NOT_SHOWN) return this.hide(text);
    const bytes = atob(text);
    return this.hide(bytes) === bytes ? text : '';
  }

  #responseText({ text }: NotedResponse): string | undefined {
    if (this.#showsAll || !text) return text;
    return this.#isOfMock ? (this.#sent.chosen?.body ?? text) : NOT_SHOWN;
  }

  get #showsAll(): boolean {
    return this.#values === 'all';
  }

  /** Whether the mock made the response; the option `routes` may repeat anything in its own. */
  get #isOfMock(): boolean {
    const { operationId, stub, refusal } = this.#sent;
    return operationId !== undefined || stub !== undefined || refusal !== undefined;
  }

  #documentedBody(body: string): unknown {
    const isDocumented = this.#isDocumented('body');
    const type = fieldIn(this.#fields, 'content-type')?.toLowerCase() ?? '';
    // A stub may name its fields.
    if (type.startsWith('application/x-www-form-urlencoded'))
      return documentedQuery(body, isDocumented);
    return documentedPart(valueOfBody(body), isDocumented);
  }

  #isDocumented(place: 'query' | 'body') {
    return documentedBy(this.#schemaAt, place);
  }

  #shownFields(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map((field) => {
      const { name, value } = shownField(field, this.#showsAll);
      return { name, value: this.hide(value) };
    });
  }
}

function valuesOf(values: URLSearchParams, name: string): unknown {
  const all = values.getAll(name);
  return all.length > 1 ? all : all[0];
}

export function partsOf({ target }: Pick<Sent, 'target'>) {
  const [path = '', query] = target.split(/\?(.*)/s);
  return { path, query };
}
