import { NO_ACCOUNT, type Schemas } from './call.js';

/** A request with the id of its account. */
export type StreamedRequest = Schemas['StreamedRequest'];

/** How many requests of one account the page keeps. */
const MOST_REQUESTS = 1_000;
/** How many accounts it keeps requests of. */
const MOST_ACCOUNTS = 200;

/** The requests that the page has seen, by account and by their number. */
export class RequestLog {
  readonly #byAccount = new Map<string, Map<number, StreamedRequest>>();
  /** How many the stream has left out. */
  dropped = 0;

  /** Adds what the stream has. */
  add({ requests, cleared, dropped }: Schemas['RequestBatch']): void {
    for (const account of cleared) this.#byAccount.delete(account);
    for (const request of requests) this.#keep(request);
    this.dropped += dropped;
  }

  /** Adds what the journal of an account has; what the stream has shown since is newer. */
  addListed(account: string, requests: readonly StreamedRequest[]): void {
    const seen = [...(this.#byAccount.get(account)?.values() ?? [])];
    this.#byAccount.delete(account);
    for (const request of requests)
      this.#keep(account === NO_ACCOUNT ? request : { ...request, account });
    for (const request of seen) this.#keep(request);
  }

  /** Who has requests: ids of accounts, and `NO_ACCOUNT`. */
  get owners(): string[] {
    return [...this.#byAccount.keys()];
  }

  /** The requests of these owners, the newest first. */
  list(owners: readonly string[]): StreamedRequest[] {
    return owners
      .flatMap((owner) => [...(this.#byAccount.get(owner)?.values() ?? [])])
      .sort((one, other) => compare(other.at, one.at) || other.id - one.id);
  }

  #keep(request: StreamedRequest): void {
    const account = request.account ?? NO_ACCOUNT;
    const known = this.#byAccount.get(account) ?? new Map<number, StreamedRequest>();
    if (known.size === 0) this.#byAccount.set(account, known);
    known.set(request.id, request);
    if (known.size > MOST_REQUESTS) dropFirst(known);
    if (this.#byAccount.size > MOST_ACCOUNTS) dropFirst(this.#byAccount);
  }
}

function dropFirst<Key>(map: Map<Key, unknown>): void {
  const [first] = map.keys();
  if (first !== undefined) map.delete(first);
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
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}
