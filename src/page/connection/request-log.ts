import { decoded } from '../parts/route.js';
import { NO_ACCOUNT, type Schemas } from './call.js';

export type StreamedRequest = Schemas['StreamedRequest'];

/** Whether the journal of an account was read; only a loaded one shows what is not in it. */
export type Reading = 'not asked' | 'loading' | 'loaded' | 'failed';

/** What the page knows of the journal of an account. */
interface KnownJournal {
  requests: Map<number, StreamedRequest>;
  reading: Reading;
  /** How many earlier requests made room for these, in the mock and on the page. */
  missing: number;
  /** Why it could not be read. */
  error?: string;
  /** The requests that arrived while it was read: they are newer than those that it lists. */
  arrived?: Set<number> | undefined;
}

/** The most requests to keep of one account. */
export const MAX_REQUESTS = 1_000;
/**
 * The most requests to keep in all; beyond it, the account that has been quiet longest is
 * forgotten.
 */
export const MAX_OF_ALL = 5_000;

/** The requests that the page has seen, by account and number. */
export class RequestLog {
  readonly #journals = new Map<string, KnownJournal>();
  readonly #lists = new Map<string, readonly StreamedRequest[]>();
  #size = 0;
  /** How many requests the stream has dropped since the journals were last to be read. */
  dropped = 0;
  /** How often requests may have been missed, so that every journal must be read again. */
  gaps = 0;
  /** Whether requests of any account made room for others. */
  isIncomplete = false;
  /** The account that is never forgotten to make room. */
  inView: string | undefined;

  add({ requests, cleared, dropped }: Schemas['RequestBatch']): void {
    for (const account of cleared) this.#forget(account);
    for (const request of requests) this.#keep(request);
    this.dropped += dropped;
  }

  noteGap(): void {
    this.gaps += 1;
    this.dropped = 0;
    for (const journal of this.#journals.values()) {
      journal.reading = 'not asked';
      journal.arrived = undefined;
    }
  }

  readingOf(owner: string): Reading {
    return this.stateOf(owner).reading;
  }

  stateOf(owner: string): Pick<KnownJournal, 'reading' | 'missing' | 'error'> {
    return this.#journals.get(owner) ?? { reading: 'not asked', missing: 0 };
  }

  /** Reads the journal of an account; what was seen before gives way to what it lists. */
  async read(owner: string, list: () => Promise<Schemas['Journal']>): Promise<void> {
    const journal = this.#journalOf(owner);
    const arrived = new Set<number>();
    Object.assign(journal, { reading: 'loading', error: undefined, arrived });
    // Ignores what is outdated by a gap, or by a reset of the account.
    const isWanted = () => this.#journals.get(owner) === journal && journal.arrived === arrived;
    try {
      const { requests: listed, evicted } = await list();
      if (!isWanted()) return;
      const newer = [...arrived].flatMap((id) => journal.requests.get(id) ?? []);
      this.#size -= journal.requests.size;
      journal.requests = new Map();
      journal.reading = 'loaded';
      journal.missing = evicted;
      this.isIncomplete ||= evicted > 0;
      this.#forgetLists(owner);
      for (const request of listed)
        this.#keep(owner === NO_ACCOUNT ? request : { ...request, account: owner });
      for (const request of newer) this.#keep(request);
    } catch (error) {
      if (isWanted())
        Object.assign(journal, { reading: 'failed', error: (error as Error).message });
    }
  }

  /** The ids of the accounts with requests, and `NO_ACCOUNT` if it has some. */
  get owners(): string[] {
    return [...this.#journals].flatMap(([owner, { requests }]) => (requests.size > 0 ? owner : []));
  }

  /**
   * The requests of one owner, newest first; for `'all'`, those of every owner. Returns the same
   * array until they change.
   */
  list(owner: string | 'all'): readonly StreamedRequest[] {
    const known = this.#lists.get(owner);
    if (known) return known;
    const list =
      owner === 'all'
        ? this.owners.flatMap((one) => this.list(one)).sort(byTime)
        : [...(this.#journals.get(owner)?.requests.values() ?? [])].sort(
            (one, other) => other.id - one.id,
          );
    this.#lists.set(owner, list);
    return list;
  }

  /** The number of the latest request that was seen; 0 if none was. */
  lastOf(owner: string): number {
    return this.list(owner)[0]?.id ?? 0;
  }

  #journalOf(owner: string): KnownJournal {
    const journal = this.#journals.get(owner) ?? {
      requests: new Map(),
      reading: 'not asked',
      missing: 0,
    };
    // At the end, as the one that was quiet for the shortest time.
    this.#journals.delete(owner);
    this.#journals.set(owner, journal);
    return journal;
  }

  #keep(request: StreamedRequest): void {
    const account = request.account ?? NO_ACCOUNT;
    const journal = this.#journalOf(account);
    const { requests, arrived } = journal;
    this.#forgetLists(account);
    this.#size -= requests.size;
    requests.set(request.id, request);
    arrived?.add(request.id);
    const [first = request.id] = requests.keys();
    if (requests.size > MAX_REQUESTS) {
      requests.delete(first);
      journal.missing += 1;
      this.isIncomplete = true;
    }
    this.#size += requests.size;
    if (this.#size > MAX_OF_ALL) this.#makeRoom(account);
  }

  #makeRoom(keeping: string): void {
    const others = [...this.#journals.keys()];
    const oldest = others.find((owner) => owner !== keeping && owner !== this.inView);
    if (oldest !== undefined) this.#forget(oldest);
    this.isIncomplete = true;
  }

  #forget(account: string): void {
    this.#size -= this.#journals.get(account)?.requests.size ?? 0;
    this.#journals.delete(account);
    this.#forgetLists(account);
  }

  #forgetLists(account: string): void {
    this.#lists.delete(account);
    this.#lists.delete('all');
  }
}

function byTime(one: StreamedRequest, other: StreamedRequest): number {
  const [at, otherAt] = [receivedAtOf(one), receivedAtOf(other)];
  if (at === otherAt) return other.id - one.id;
  return at < otherAt ? 1 : -1;
}

/** When a request was received in real time; by its account's clock, if only that is known. */
export function receivedAtOf({ at, receivedAt = at }: StreamedRequest): string {
  return receivedAt;
}

/**
 * What names a request in the address: its number, and when it was received, because an account
 * that was reset numbers its requests from 1 again.
 */
export function addressOf({ id, at }: Pick<StreamedRequest, 'id' | 'at'>): string {
  return `${id}-${Date.parse(at).toString(36)}`;
}

/** Whether an address names the request; one that was typed may have only its number. */
export function isNamed(address: string, request: Pick<StreamedRequest, 'id' | 'at'>): boolean {
  return [String(request.id), addressOf(request)].includes(address);
}

export function targetOf({ path, query }: StreamedRequest): string {
  return readable(query === undefined ? path : `${path}?${query}`);
}

/** Decodes a target for reading; encoded separators stay encoded. */
export function readable(target: string): string {
  return decoded(target, decodeURI);
}
