import type { Known } from './hide-credentials.js';
import { describeRequest } from './journal-request.js';
import type { NotedRequest } from './noted-request.js';

/** The rough size in bytes, without the texts of the request. */
const OVERHEAD = 500;

/** A request in JSON, encoded once for all followers, when the first of them takes it. */
export class EncodedRequest {
  readonly noted: NotedRequest;
  /** An estimate of its encoded size, in which characters count as escaped in JSON. */
  readonly bytes: number;
  readonly #account: string | undefined;
  readonly #known: Known;
  #encoded: Uint8Array | undefined;

  constructor(noted: NotedRequest, account: string | undefined, known: Known) {
    const { target, headerLines, body, refusal } = noted;
    // The target counts twice, because its parameters are also listed by name.
    const texts = JSON.stringify([target, target, headerLines, body, refusal?.detail]);
    this.noted = noted;
    this.bytes = OVERHEAD + texts.length;
    this.#account = account;
    this.#known = known;
  }

  /** Encodes the request without its response, which may be long. */
  get encoded(): Uint8Array {
    if (this.#encoded) return this.#encoded;
    const { response: _long, ...noted } = this.noted;
    const account = this.#account !== undefined && { account: this.#account };
    const text = JSON.stringify({ ...account, ...describeRequest(noted, this.#known) });
    this.#encoded = new TextEncoder().encode(text);
    return this.#encoded;
  }
}
