import { decoded } from '../parts/route.js';
import { NO_ACCOUNT, type Schemas } from './call.js';

/** A request with the id of its account. */
export type StreamedRequest = Schemas['StreamedRequest'];

/** How many requests of one account the page keeps. */
const MOST_REQUESTS = 1_000;
/** How many of all accounts: then it forgets the account that was not asked for the longest time. */
const MOST_OF_ALL = 5_000;

/** The requests that the page has seen, by account and by their number. */
export class RequestLog {
  readonly #byAccount = new Map<string, Map<number, StreamedRequest>>();
  readonly #lists = new Map<string, readonly StreamedRequest[]>();
  #size = 0;
  /** How many the stream has left out. */
  dropped = 0;

  /** Adds what the stream has. */
  add({ requests, cleared, dropped }: Schemas['RequestBatch']): void {
    for (const account of cleared) this.#forget(account);
    for (const request of requests) this.#keep(request);
    this.dropped += dropped;
  }

  /** Adds what the journal of an account has; what the stream has shown since is newer. */
  addListed(account: string, requests: readonly StreamedRequest[]): void {
    const seen = [...(this.#byAccount.get(account)?.values() ?? [])];
    this.#forget(account);
    for (const request of requests)
      this.#keep(account === NO_ACCOUNT ? request : { ...request, account });
    for (const request of seen) this.#keep(request);
  }

  /** Who has requests: ids of accounts, and `NO_ACCOUNT`. */
  get owners(): string[] {
    return [...this.#byAccount.keys()];
  }

  /** The requests of an owner or of all, the newest first; the same list until there are others. */
  list(owner: string | 'all'): readonly StreamedRequest[] {
    const known = this.#lists.get(owner);
    if (known) return known;
    const owners = owner === 'all' ? this.owners : [owner];
    const list = owners
      .flatMap((one) => [...(this.#byAccount.get(one)?.values() ?? [])])
      .sort((one, other) => compare(other.at, one.at) || other.id - one.id);
    this.#lists.set(owner, list);
    return list;
  }

  /** How many requests of an owner did not succeed. */
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

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Path and query with names as people write them. */
export function targetOf({ path, query }: StreamedRequest): string {
  return readable(query === undefined ? path : `${path}?${query}`);
}

/** With names as people write them; what stands for a separator stays encoded. */
export function readable(target: string): string {
  return decoded(target, decodeURI);
}
