import { valuesOfPath } from '../../../core/openapi/path-template.js';
import { percentDecoded } from '../../../core/values/received-value.js';
import { REDACTED, SECRET_NAME } from '../../../core/values/secret-name.js';
import { hiderOf, type Known } from './hide-credentials.js';
import { valueOfBody } from './note-body.js';
import type { NotedRequest, NotedResponse } from './noted-request.js';
import { type HeaderField, headerFieldsOf, tokenIn } from './shown-headers.js';

/** What is shown of a request, as far as it is known. */
export type Sent = Pick<NotedRequest, 'target' | 'headerLines'> &
  Partial<Pick<NotedRequest, 'template' | 'refusal'>> & {
    /** The text of the body, or what is known of it. */
    readonly body?: unknown;
  };

/** The one way in which a request and its response leave the mock: whole, but for credentials. */
export class ShownRequest {
  readonly #sent: Sent;
  readonly #fields: readonly HeaderField[];
  readonly #parameters: Record<string, unknown>;
  /** Redacts credentials in a copy of what quotes the request. */
  readonly hide: ReturnType<typeof hiderOf>;

  constructor(sent: Sent, { secrets = [] }: Known) {
    this.#sent = sent;
    this.#fields = headerFieldsOf(sent.headerLines);
    this.#parameters = parametersOf(sent);
    const tokens = [...secrets, ...tokenIn(this.#fields)];
    const parts = encodedIn(sent, hiderOf({ secrets: tokens }));
    this.hide = hiderOf({ secrets: tokens, parts });
  }

  get target(): string {
    const { path, query } = this;
    return query === undefined ? path : `${path}?${query}`;
  }

  get path(): string {
    return this.hide(partsOf(this.#sent).path);
  }

  get query(): string | undefined {
    const { query } = partsOf(this.#sent);
    return query === undefined ? undefined : this.#hideFields(query);
  }

  /** The path and query parameters by name, decoded if they can be. */
  get parameters(): Record<string, unknown> | undefined {
    return this.#sent.template === undefined ? undefined : this.hide(this.#parameters);
  }

  get fields(): HeaderField[] {
    return this.#shown(this.#fields);
  }

  /** The body: parsed JSON, or other text; undefined if none is known. */
  get body(): unknown {
    const { body } = this.#sent;
    if (typeof body !== 'string') return body;
    const value = valueOfBody(body);
    return typeof value === 'string' ? this.#hideFields(value) : this.hide(value);
  }

  /** The body as text, which may have members twice; undefined if it was not kept. */
  get bodyText(): string | undefined {
    const { body } = this.#sent;
    return typeof body === 'string' ? this.#hideText(body) : undefined;
  }

  get detail(): string | undefined {
    return this.hide(this.#sent.refusal?.detail);
  }

  responseFields({ headerLines }: NotedResponse): HeaderField[] {
    return this.#shown(headerFieldsOf(headerLines));
  }

  /** The response's body: parsed JSON, or other text; undefined if it was not kept. */
  responseBody(response: NotedResponse): unknown {
    const { text, isBase64 } = response;
    return isBase64 || !text ? this.responseText(response) : this.hide(valueOfBody(text));
  }

  /** The text of the response's body, or its base64; undefined if it was not kept. */
  responseText({ text, isBase64 }: NotedResponse): string | undefined {
    if (!text || !isBase64) return text && this.#hideText(text);
    const bytes = atob(text);
    return this.hide(bytes) === bytes ? text : '';
  }

  /** Writes JSON again if it has credentials, which may be escaped. */
  #hideText(text: string): string {
    const value = valueOfBody(text);
    if (typeof value === 'string') return this.#hideFields(text);
    const [before, after] = [JSON.stringify(value), JSON.stringify(this.hide(value))];
    return before === after ? this.hide(text) : after;
  }

  /** The fields of a query or a form, by their names as they are meant. */
  #hideFields(text: string): string {
    return this.hide(text).replaceAll(FIELD, (whole, name: string) =>
      SECRET_NAME.test(percentDecoded(name) ?? name) ? `${name}=${REDACTED}` : whole,
    );
  }

  #shown(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map((field) => {
      const [[name, value] = ['', '']] = Object.entries(this.hide({ [field.name]: field.value }));
      return { name, value };
    });
  }
}

function parametersOf({ template, target }: Sent): Record<string, unknown> {
  const { path, query } = partsOf({ target });
  const parameters = new Map<string, unknown>();
  for (const [name, value] of Object.entries(valuesOfPath(template ?? '', path)))
    parameters.set(name, percentDecoded(value) ?? value);
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    const all = values.getAll(name);
    parameters.set(name, all.length > 1 ? all : all[0]);
  }
  return Object.fromEntries(parameters);
}

/** A field of a query or a form. */
const FIELD = /(?<=^|&)([^&=\s]+)=([^&\s]+)/g;

/** Parts of the path, the query and a form that have credentials once they are decoded. */
function encodedIn({ target, body }: Sent, hide: (text: string) => string): string[] {
  const { path, query = '' } = partsOf({ target });
  const fields = [query, typeof body === 'string' ? body : ''].flatMap((text) => text.split('&'));
  const values = fields.map((field) => field.slice(field.indexOf('=') + 1));
  return [...path.split('/'), ...values].filter((part) => {
    if (!part.includes('%')) return false;
    const plain = percentDecoded(part.replaceAll('+', ' ')) ?? part;
    return hide(plain) !== plain;
  });
}

export function partsOf({ target }: Pick<Sent, 'target'>) {
  const [path = '', query] = target.split(/\?(.*)/s);
  return { path, query };
}
