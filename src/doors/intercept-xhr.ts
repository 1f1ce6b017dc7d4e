import { urlInPage } from './url-in-page.js';

/** What of a page's requests the mock answers, and how. */
export interface Answering {
  /** The path and query of the mock that a URL leads to; undefined for one that is passed on. */
  targetOf(url: string): string | undefined;
  deliver(request: Request, target: string): Promise<Response>;
}

/** The `XMLHttpRequest` of a page, as far as it is used here. */
export interface Xhr extends EventTarget {
  readonly upload: EventTarget;
  readonly timeout: number;
  readonly responseType: string;
  readonly readyState: number;
  readonly status: number;
  readonly statusText: string;
  readonly responseURL: string;
  readonly responseText: string;
  readonly response: unknown;
  open(method: string, url: string | URL, isAsync?: boolean, ...credentials: unknown[]): void;
  setRequestHeader(name: string, value: string): void;
  send(body?: unknown): void;
  abort(): void;
  getResponseHeader(name: string): string | null;
  getAllResponseHeaders(): string;
}

/** What has happened of a request that the mock answers. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly headers: Headers;
  readonly controller: AbortController;
  isSent: boolean;
  state: number;
  response: Response | undefined;
  bytes: Uint8Array<ArrayBuffer>;
  /** The response as `json` or `blob` is the same object each time. */
  value?: { readonly of: unknown };
}

const [OPENED, HEADERS_RECEIVED, LOADING, DONE] = [1, 2, 3, 4] as const;
const NO_BYTES = new Uint8Array();

/** The same class, whose requests for the mock reach it; others go where they went before. */
export function interceptXhr(Native: new () => Xhr, answering: Answering): new () => Xhr {
  return class XMLHttpRequest extends Native {
    #call: Call | undefined;

    override open(method: string, url: string | URL, isAsync = true, ...credentials: unknown[]) {
      const { href } = urlInPage(url);
      const target = answering.targetOf(href);
      this.#call?.controller.abort();
      this.#call = undefined;
      if (target === undefined) return super.open(method, url, isAsync, ...credentials);
      if (!isAsync) {
        throw new Error(
          `A synchronous request to ${href} was opened; expected an asynchronous request: the mock in the page answers no others.`,
        );
      }
      this.#call = {
        ...{ method: method.toUpperCase(), url: href, target, headers: new Headers() },
        ...{ controller: new AbortController(), isSent: false, state: OPENED },
        ...{ response: undefined, bytes: NO_BYTES },
      };
      this.#tell('readystatechange');
    }

    override setRequestHeader(name: string, value: string) {
      if (!this.#call) return super.setRequestHeader(name, value);
      this.#call.headers.append(name, value);
    }

    override send(body?: unknown) {
      const call = this.#call;
      if (!call) return super.send(body);
      if (call.isSent) throw new Error('The request was already sent; call open() first.');
      call.isSent = true;
      this.#run(call, body).then(
        () => this.#end(call, 'load'),
        () => this.#end(call, 'error'),
      );
    }

    override abort() {
      const call = this.#call;
      if (!call) return super.abort();
      call.controller.abort();
      if (call.isSent) this.#end(call, 'abort');
      if (this.#call === call) call.state = 0;
    }

    override get readyState() {
      return this.#call?.state ?? super.readyState;
    }

    override get status() {
      return this.#call ? (this.#call.response?.status ?? 0) : super.status;
    }

    override get statusText() {
      return this.#call ? (this.#call.response?.statusText ?? '') : super.statusText;
    }

    override get responseURL() {
      return this.#call ? (this.#call.response ? this.#call.url : '') : super.responseURL;
    }

    override get responseText() {
      return this.#call ? new TextDecoder().decode(this.#call.bytes) : super.responseText;
    }

    override get response() {
      const call = this.#call;
      if (!call) return super.response;
      if (['', 'text'].includes(this.responseType)) return this.responseText;
      if (call.state !== DONE || !call.response) return null;
      call.value ??= { of: contentOf(call, this.responseType) };
      return call.value.of;
    }

    override getResponseHeader(name: string) {
      if (!this.#call) return super.getResponseHeader(name);
      return this.#call.response?.headers.get(name) ?? null;
    }

    override getAllResponseHeaders() {
      if (!this.#call) return super.getAllResponseHeaders();
      const fields = [...(this.#call.response?.headers ?? [])];
      return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    }

    async #run(call: Call, body: unknown): Promise<void> {
      const { method, url, target, headers, controller } = call;
      const isBodiless = ['GET', 'HEAD'].includes(method) || body === undefined;
      const init = { method, headers, signal: controller.signal };
      const request = new Request(url, { ...init, body: isBodiless ? null : (body as string) });
      this.#tell('loadstart');
      if (this.timeout > 0) {
        const late = AbortSignal.timeout(this.timeout);
        late.addEventListener('abort', () => {
          this.#end(call, 'timeout');
          controller.abort();
        });
      }
      call.response = await answering.deliver(request, target);
      this.#enter(call, HEADERS_RECEIVED);
      const reader = call.response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        const bytes = new Uint8Array(call.bytes.length + read.value.length);
        bytes.set(call.bytes);
        bytes.set(read.value, call.bytes.length);
        call.bytes = bytes;
        this.#enter(call, LOADING);
        if (this.#call === call) this.#tell('progress', call.bytes.length);
      }
    }

    #enter(call: Call, state: number) {
      if (this.#call !== call || call.state === DONE) return;
      call.state = state;
      this.#tell('readystatechange');
    }

    /** Tells once how a request has ended; of one that failed there is no response. */
    #end(call: Call, event: 'load' | 'error' | 'abort' | 'timeout') {
      if (this.#call !== call || call.state === DONE || call.state === 0) return;
      if (event !== 'load') Object.assign(call, { response: undefined, bytes: NO_BYTES });
      this.#enter(call, DONE);
      this.#tell(event, call.bytes.length);
      this.#tell('loadend', call.bytes.length);
    }

    #tell(type: string, loaded = 0) {
      const event = new Event(type);
      this.dispatchEvent(
        type === 'readystatechange'
          ? event
          : Object.assign(event, { loaded, total: 0, lengthComputable: false }),
      );
    }
  };
}

function contentOf({ bytes, response }: Call, type: string): unknown {
  if (type === 'arraybuffer') return bytes.buffer;
  if (type === 'blob')
    return new Blob([bytes], { type: response?.headers.get('content-type') ?? '' });
  try {
    return type === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  } catch {
    return null;
  }
}
