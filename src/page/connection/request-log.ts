import { decoded } from '../parts/route.js';
import { NO_ACCOUNT, type Schemas } from './call.js';

export type StreamedRequest = Schemas['StreamedRequest'];

/** The most requests to keep of one account. */
const MOST_REQUESTS = 1_000;
/**
 * The most requests to keep in all; beyond it, the account that has been quiet longest is
 * forgotten.
 */
const MOST_OF_ALL = 5_000;

/** The requests that the page has seen, by account and number. */
export class RequestLog {
  readonly #byAccount = new Map<string, Map<number, StreamedRequest>>();
  readonly #lists = new Map<string, readonly StreamedRequest[]>();
  #size = 0;
  /** How many requests the stream has dropped. */
  dropped = 0;

  add({ requests, cleared, dropped }: Schemas['RequestBatch']): void {
    for (const account of cleared) this.#forget(account);
    for (const request of requests) this.#keep(request);
    this.dropped += dropped;
  }

  /** Adds the journal of an account; requests known from the stream are newer, and stay. */
  addListed(account: string, requests: readonly StreamedRequest[]): void {
    const seen = [...(this.#byAccount.get(account)?.values() ?? [])];
    this.#forget(account);
    for (const request of requests)
      this.#keep(account === NO_ACCOUNT ? request : { ...request, account });
    for (const request of seen) this.#keep(request);
  }

  /** The ids of the accounts with requests, and `NO_ACCOUNT` if it has some. */
  get owners(): string[] {
    return [...this.#byAccount.keys()];
  }

  /**
   * The requests of one owner, newest first; for `'all'`, those of every owner, newest first by
   * their accounts' clocks. Returns the same array until they change.
   */
  list(owner: string | 'all'): readonly StreamedRequest[] {
    const known = this.#lists.get(owner);
    if (known) return known;
    const list =
      owner === 'all'
        ? this.owners.flatMap((one) => this.list(one)).sort(byTime)
        : [...(this.#byAccount.get(owner)?.values() ?? [])].sort((one, other) => other.id - one.id);
    this.#lists.set(owner, list);
    return list;
  }

  refused(owner: string): number {
    return this.list(owner).filter(({ status = 0 }) => status >= 400).length;
  }

  #keep(request: StreamedRequest): void {
    const account = request.account ?? NO_ACCOUNT;
    const known = this.#byAccount.get(account) ?? new Map<number, StreamedRequest>();
    this.#forgetLists(account);
    this.#size -= known.size;
    known.set(request.id, request);
    const [first = request.id] = known.keys();
    if (known.size > MOST_REQUESTS) known.delete(first);
    this.#size += known.size;
    this.#byAccount.delete(account);
    this.#byAccount.set(account, known);
    const [oldest = account] = this.#byAccount.keys();
    if (this.#size > MOST_OF_ALL && oldest !== account) this.#forget(oldest);
  }

  #forget(account: string): void {
    this.#size -= this.#byAccount.get(account)?.size ?? 0;
    this.#byAccount.delete(account);
    this.#forgetLists(account);
  }

  #forgetLists(account: string): void {
    this.#lists.delete(account);
    this.#lists.delete('all');
  }
}

function byTime(one: StreamedRequest, other: StreamedRequest): number {
  if (one.at === other.at) return other.id - one.id;
  return one.at < other.at ? 1 : -1;
}

export function targetOf({ path, query }: StreamedRequest): string {
  return readable(query === undefined ? path : `${path}?${query}`);
}

/** Decodes a target for reading; encoded separators stay encoded. */
export function readable(target: string): string {
  return decoded(target, decodeURI);
}
