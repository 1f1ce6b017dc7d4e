import { valuesOfPath } from '../../../core/openapi/path-template.js';
import { percentDecoded } from '../../../core/values/received-value.js';
import { hiderOf, type Known, SECRET_NAME, secretsIn } from './hide-credentials.js';
import { valueOfBody } from './note-body.js';
import type { NotedRequest, NotedResponse } from './noted-request.js';
import {
  credentialsIn,
  type HeaderField,
  headerFieldsOf,
  withoutUserinfo,
} from './shown-headers.js';

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

  constructor(sent: Sent, { secrets = [], isToken }: Known) {
    this.#sent = sent;
    this.#fields = headerFieldsOf(sent.headerLines);
    this.#parameters = parametersOf(sent);
    const others = secretsIn([sent.target, this.#parameters, membersOf(sent.body)]);
    const all = [...secrets, ...credentialsIn(this.#fields), ...others];
    this.hide = hiderOf({ secrets: all, ...(isToken && { isToken }) });
  }

  get target(): string {
    return this.hide(this.#sent.target);
  }

  get path(): string {
    return this.hide(partsOf(this.#sent).path);
  }

  get query(): string | undefined {
    return this.hide(partsOf(this.#sent).query);
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
    return typeof body === 'string' ? this.hide(valueOfBody(body)) : body;
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

  /** Writes JSON again if it may have secret members whose values are not texts. */
  #hideText(text: string): string {
    const value = SECRET_NAME.test(text) ? valueOfBody(text) : text;
    return typeof value === 'string' ? this.hide(text) : JSON.stringify(this.hide(value));
  }

  #shown(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(withoutUserinfo).map((field) => {
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

/** What of a body may have a secret name: its JSON, or the fields of a form, beside its text. */
function membersOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  const value = valueOfBody(body);
  return typeof value === 'string'
    ? [value, Object.fromEntries(new URLSearchParams(value))]
    : value;
}

export function partsOf({ target }: Pick<Sent, 'target'>) {
  const [path = '', query] = target.split(/\?(.*)/s);
  return { path, query };
}
