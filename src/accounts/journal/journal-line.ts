import { describeRequest, type NotedRequest } from './journal-request.js';
import type { IsToken } from './redact-secrets.js';

/** What a line takes beside the texts of its request, roughly. */
const OVERHEAD = 500;

/** A request as its followers get it: JSON, encoded once for all of them when the first one needs it. */
export class JournalLine {
  readonly noted: NotedRequest;
  /** About how many bytes it has once it is encoded: a control character has six. */
  readonly bytes: number;
  readonly #account: string | undefined;
  readonly #isToken: IsToken | undefined;
  #encoded: Uint8Array | undefined;

  constructor(noted: NotedRequest, account: string | undefined, isToken: IsToken | undefined) {
    const { target, headerLines, body, refusal } = noted;
    // The target is there twice: its values are listed by their names as well.
    const texts = JSON.stringify([target, target, headerLines, body, refusal?.detail]);
    this.noted = noted;
    this.bytes = OVERHEAD + texts.length;
    this.#account = account;
    this.#isToken = isToken;
  }

  /** Its bytes: without the response, which may be long. */
  get encoded(): Uint8Array {
    if (this.#encoded) return this.#encoded;
    const { response: _long, ...noted } = this.noted;
    const account = this.#account !== undefined && { account: this.#account };
    const text = JSON.stringify({ ...account, ...describeRequest(noted, this.#isToken) });
    this.#encoded = new TextEncoder().encode(text);
    return this.#encoded;
  }
}
