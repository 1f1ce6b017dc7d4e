import { type Call, call, type Schemas } from './call.js';

export type ListedAccount = Schemas['ListedAccount'];

/** How many accounts to list, and how many failed ones: the newest that match the search. */
const LISTED = 100;
/** The largest page that the mock returns. */
const LARGEST_PAGE = 1_000;
/** The shortest time between two listings. */
const LIST_MS = 1_000;
/** The shortest time between two automatic switches of the account in view. */
const SWITCH_MS = 1_500;

/** The accounts of the mock, of which there may be thousands, and the one in view. */
export class AccountList {
  /** How many accounts are open. */
  total = 0;
  /** How many of them have a failed test. */
  failed = 0;
  /**
   * How many have failed since the page was opened, or since somebody last looked at failed tests.
   */
  newlyFailed = 0;
  /** When the page noticed that the mock had restarted, and the account in view before that. */
  restart: { readonly at: Date; readonly before: ListedAccount } | undefined;
  /** The search text whose results are listed. */
  searched = '';
  /** Incremented when a request or the page may have changed records of the account in view. */
  writes = 0;
  /** Whether to switch to the account of the latest request. */
  follows = true;
  /** True to stay with the account despite `follows`: another view, or one request, is open. */
  holds = false;
  /** The account in view; undefined while none is listed. */
  account: ListedAccount | undefined;
  #text = '';
  #chosen: string | undefined;
  #switchedAtMs = Number.NEGATIVE_INFINITY;
  #listed: readonly ListedAccount[] = [];
  readonly #names = new Map<string, string>();
  readonly #show: () => void;
  #knownFailed: number | undefined;
  #mayHaveRestarted = false;
  #isListing = false;
  #isWanted = false;

  /** Calls `show` after changes; after a call of a `note…` method, the caller redraws the page. */
  constructor(show: () => void) {
    this.#show = show;
  }

  /** The accounts to choose from, including the one in view. */
  get shown(): readonly ListedAccount[] {
    const { account } = this;
    const isListed = this.#listed.some(({ id }) => id === account?.id);
    return account && !isListed ? [account, ...this.#listed] : this.#listed;
  }

  /** The name of an account; the beginning of its id if it was never listed. */
  nameOf(id: string | undefined): string {
    return id === undefined ? 'no account' : (this.#names.get(id) ?? id.slice(0, 8));
  }

  /** The id to show in the address; empty while the account may switch by itself. */
  get addressed(): string {
    return this.follows && !this.holds ? '' : (this.#chosen ?? '');
  }

  /** Switches to an account, and stops following the latest request. */
  choose(id: string): void {
    this.follows = false;
    this.#lookAt(id);
  }

  /**
   * Switches to the next account with a failed test, newest first; after the last, to the first.
   */
  async chooseFailed(): Promise<void> {
    const { accounts } = await read({ limit: LARGEST_PAGE, failed: 'true' });
    const next = accounts[accounts.findIndex(({ id }) => id === this.#chosen) + 1] ?? accounts[0];
    this.noteFailuresSeen();
    if (next) this.choose(next.id);
  }

  noteFailuresSeen(): void {
    this.#knownFailed = this.failed;
    this.newlyFailed = 0;
  }

  /** Notes a new connection: the mock may have restarted. */
  noteConnected(): void {
    this.#mayHaveRestarted = true;
  }

  /**
   * The id of the account in view before a restart, unless the current one seems to have another
   * token.
   */
  get beforeRestart(): string | undefined {
    const { account, restart } = this;
    const isSame = account === undefined || labelOf(account) === labelOf(restart?.before);
    return isSame ? restart?.before.id : undefined;
  }

  /** Notes that a call from the page may have changed records. */
  noteWrite(): void {
    this.writes += 1;
    void this.list();
  }

  follow(follows: boolean): void {
    this.follows = follows;
    this.#show();
  }

  search(text: string): void {
    this.#text = text;
    void this.list();
  }

  /** Counts requests as they arrive; lists the accounts again if more may have changed. */
  note({ requests, cleared }: Schemas['RequestBatch']): void {
    const highest = new Map<string, number>();
    for (const { account, id } of requests) {
      if (account !== undefined) highest.set(account, Math.max(id, highest.get(account) ?? 0));
    }
    const count = (one: ListedAccount) => ({
      ...one,
      requests: Math.max(one.requests, highest.get(one.id) ?? 0),
    });
    this.#listed = this.#listed.map(count);
    this.account = this.account && count(this.account);
    if (requests.some(({ account, method }) => account === this.account?.id && method !== 'GET'))
      this.writes += 1;
    const isUnknown = [...highest.keys()].some((id) => !this.#names.has(id));
    const isOfAccount = this.account !== undefined && highest.has(this.account.id);
    if (isUnknown || isOfAccount || cleared.length > 0) void this.list();
    const last = requests.findLast(({ account }) => account !== undefined)?.account;
    if (last !== undefined) this.#followTo(last);
  }

  /** Lists the accounts, at most once per `LIST_MS`; calls meanwhile lead to one more listing. */
  async list(): Promise<void> {
    this.#isWanted = true;
    if (this.#isListing) return;
    this.#isListing = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      // The stream of requests shows whether the mock answers.
      await this.#listOnce().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, LIST_MS));
    }
    this.#isListing = false;
  }

  async #listOnce(): Promise<void> {
    const text = this.#text;
    const { accounts, total, failed } = await read({ limit: LISTED, text });
    const query = { limit: LISTED, text, failed: 'true' };
    const broken = failed > 0 ? (await read(query)).accounts : [];
    // By id, not by `failure`: a test may have failed between the two calls.
    const others = accounts.filter(({ id }) => broken.every((one) => one.id !== id));
    const chosen = this.#chosen;
    const listed = [...broken, ...others].filter(({ id }) => id === chosen);
    const isKnown = chosen === undefined || listed.length > 0;
    const [found] = isKnown ? listed : (await read({ limit: 1, text: chosen })).accounts;
    Object.assign(this, { total, failed });
    this.#knownFailed = Math.min(this.#knownFailed ?? failed, failed);
    this.newlyFailed = failed - this.#knownFailed;
    if (this.#mayHaveRestarted && this.account && !found)
      this.restart = { at: new Date(), before: this.account };
    this.#mayHaveRestarted = false;
    this.#listed = [...broken, ...others];
    this.searched = text;
    if (this.#chosen === chosen) {
      this.account = found ?? lastAsked(broken.length > 0 ? broken : accounts);
      this.#chosen = this.account?.id;
    }
    for (const { id, name } of this.shown) this.#names.set(id, name);
    this.#show();
  }

  #followTo(id: string): void {
    if (!this.follows || this.holds || this.#chosen === id) return;
    if (performance.now() - this.#switchedAtMs < SWITCH_MS) return;
    this.#switchedAtMs = performance.now();
    this.#lookAt(id);
  }

  #lookAt(id: string): void {
    this.#chosen = id;
    const known = this.#listed.find((one) => one.id === id);
    if (known) this.account = known;
    else void this.list();
    this.#show();
  }
}

/** The name of an account without its number. */
function labelOf(account: ListedAccount | undefined): string | undefined {
  return account?.name.replace(/#\d+$/, '');
}

function read(query: NonNullable<Call['query']>): Promise<Schemas['Accounts']> {
  return call('/accounts', { query });
}

/** The account with the latest request; the newest account if none has any. */
function lastAsked(accounts: readonly ListedAccount[]): ListedAccount | undefined {
  const askedAt = (one: ListedAccount) => one.lastRequestAt ?? '';
  return accounts.reduce<ListedAccount | undefined>(
    (last, one) => (last && askedAt(last) >= askedAt(one) ? last : one),
    undefined,
  );
}
