import { urlInPage } from './url-in-page.js';

export interface Answering {
  /** The mock's path and query for a URL; undefined if the request goes to the network. */
  targetOf(url: string): string | undefined;
  deliver(request: Request, target: string): Promise<Response>;
}

/** The members of `XMLHttpRequest` that are used here, without the types of the DOM. */
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

/** A request that the mock answers, with what the page can read of it. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly headers: Headers;
  readonly controller: AbortController;
  isSent: boolean;
  isUploading: boolean;
  readyState: number;
  status: number;
  statusText: string;
  responseURL: string;
  fields: Headers;
  bytes: Uint8Array<ArrayBuffer>;
  /** Kept, because `response` must be the same object each time it is read. */
  value?: { readonly of: unknown };
}

const [UNSENT, OPENED, HEADERS_RECEIVED, LOADING, DONE] = [0, 1, 2, 3, 4] as const;

/** What a request shows before it has a response, and after it has failed. */
const noResponse = () => ({
  ...{ status: 0, statusText: '', responseURL: '', fields: new Headers() },
  bytes: new Uint8Array(),
});

/** Extends a page's class: the mock answers requests for its URLs, others go on as before. */
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
        ...{ controller: new AbortController(), isSent: false, isUploading: false },
        ...{ readyState: OPENED, ...noResponse() },
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
      if (call.isSent) throw invalidState('The request was already sent; call open() first.');
      call.isSent = true;
      this.#run(call, body).then(
        () => this.#end(call, 'load'),
        () => this.#end(call, 'error'),
      );
    }

    override abort() {
      const call = this.#call;
      if (!call) return super.abort();
      if (call.isSent) this.#end(call, 'abort');
      if (call.isSent) call.readyState = UNSENT;
    }

    override get readyState() {
      return this.#call?.readyState ?? super.readyState;
    }

    override get status() {
      return this.#call?.status ?? super.status;
    }

    override get statusText() {
      return this.#call?.statusText ?? super.statusText;
    }

    override get responseURL() {
      return this.#call?.responseURL ?? super.responseURL;
    }

    override get responseText() {
      if (!this.#call) return super.responseText;
      if (isText(this.responseType)) return new TextDecoder().decode(this.#call.bytes);
      throw invalidState(
        `responseText was read with responseType '${this.responseType}'; expected '' or 'text'. Read \`response\` instead.`,
      );
    }

    override get response() {
      const call = this.#call;
      if (!call) return super.response;
      if (isText(this.responseType)) return this.responseText;
      if (call.readyState !== DONE || call.status === 0) return null;
      call.value ??= { of: contentOf(call, this.responseType) };
      return call.value.of;
    }

    override getResponseHeader(name: string) {
      return this.#call ? this.#call.fields.get(name) : super.getResponseHeader(name);
    }

    override getAllResponseHeaders() {
      if (!this.#call) return super.getAllResponseHeaders();
      return [...this.#call.fields].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    }

    async #run(call: Call, body: unknown): Promise<void> {
      const { method, url, target, headers, controller } = call;
      const isBodiless = ['GET', 'HEAD'].includes(method) || (body ?? null) === null;
      const init = { method, headers, signal: controller.signal };
      const request = new Request(url, { ...init, body: isBodiless ? null : (body as string) });
      this.#tell('loadstart');
      if (this.timeout > 0) {
        const late = AbortSignal.timeout(this.timeout);
        late.addEventListener('abort', () => this.#end(call, 'timeout'));
      }
      if (!isBodiless) await this.#upload(call, request.clone());
      const response = await answering.deliver(request, target);
      const { status, statusText, headers: fields } = response;
      Object.assign(call, { status, statusText, fields, responseURL: url });
      this.#enter(call, HEADERS_RECEIVED);
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        call.bytes = new Uint8Array(await new Blob([call.bytes, read.value]).arrayBuffer());
        this.#enter(call, LOADING);
        this.#tell('progress', call.bytes.length);
      }
    }

    /** Fires the events of the upload; the body is sent all at once. */
    async #upload(call: Call, request: Request): Promise<void> {
      call.isUploading = true;
      this.#tell('loadstart', 0, this.upload);
      const { byteLength } = await request.arrayBuffer();
      call.controller.signal.throwIfAborted();
      call.isUploading = false;
      for (const type of ['progress', 'load', 'loadend']) this.#tell(type, byteLength, this.upload);
    }

    /** Changes the state; throws if the request has ended, or if a listener ends it. */
    #enter(call: Call, state: number) {
      call.controller.signal.throwIfAborted();
      call.readyState = state;
      this.#tell('readystatechange');
      call.controller.signal.throwIfAborted();
    }

    /** Fires the final events, once; a request that failed has no response. */
    #end(call: Call, type: 'load' | 'error' | 'abort' | 'timeout') {
      const isOver = () => this.#call !== call || call.readyState === UNSENT;
      if (isOver() || call.readyState === DONE) return;
      if (type !== 'load') Object.assign(call, noResponse());
      if (type !== 'load') call.controller.abort();
      call.readyState = DONE;
      this.#tell('readystatechange');
      // A listener may have opened the object again.
      if (isOver()) return;
      for (const target of call.isUploading ? [this.upload, this] : [this]) {
        this.#tell(type, call.bytes.length, target);
        this.#tell('loadend', call.bytes.length, target);
      }
    }

    #tell(type: string, loaded = 0, target: EventTarget = this) {
      const total = target === this ? 0 : loaded;
      const progress = { loaded, total, lengthComputable: total > 0 };
      const event = new Event(type);
      target.dispatchEvent(type === 'readystatechange' ? event : Object.assign(event, progress));
    }
  };
}

function isText(responseType: string): boolean {
  return ['', 'text'].includes(responseType);
}

function invalidState(sentence: string): DOMException {
  return new DOMException(sentence, 'InvalidStateError');
}

function contentOf({ bytes, fields }: Call, responseType: string): unknown {
  if (responseType === 'arraybuffer') return bytes.buffer;
  if (responseType === 'blob') return new Blob([bytes], { type: fields.get('content-type') ?? '' });
  try {
    return responseType === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  } catch {
    return null;
  }
}
