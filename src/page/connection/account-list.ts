import { type Call, call, type Schemas } from './call.js';

export type ListedAccount = Schemas['ListedAccount'];

/** How many accounts to list, and how many failed ones: the newest that match the search. */
const LISTED = 100;
/** The largest page that the mock returns. */
const MAX_PAGE = 1_000;
/** The shortest time between two listings. */
const LIST_MS = 1_000;
/** The shortest time between two automatic switches of the account in view. */
const SWITCH_MS = 1_500;

/** The accounts of the mock, of which there may be thousands, and the one in view. */
export class AccountList {
  /** How many accounts are open. */
  total = 0;
  /** How many tests failed, whether or not their accounts are open. */
  failed = 0;
  /** When the page noticed that the mock had restarted, and the account in view before that. */
  restart: { readonly at: Date; readonly before: ListedAccount } | undefined;
  /** The search text whose results are listed. */
  searched = '';
  /** Incremented when a request or the page may have changed records of the account in view. */
  writes = 0;
  /** Whether to switch to the account of the latest request, or to the test that began last. */
  follows = true;
  /** The account in view; `state` says why there is none. */
  account: ListedAccount | undefined;
  #text = '';
  #holds = false;
  #chosen: string | undefined;
  /** The account to switch to while following. */
  #latest: string | undefined;
  /** False until a listing says whether the chosen account is open. */
  #isLookedUp = false;
  #switchedAtMs = Number.NEGATIVE_INFINITY;
  #listed: readonly ListedAccount[] = [];
  /** Those of failed tests. */
  #broken: readonly ListedAccount[] = [];
  readonly #names = new Map<string, string>();
  readonly #show: () => void;
  #mayHaveRestarted = false;
  #isListing = false;
  #isWanted = false;

  /** Calls `show` when the list has changed, except in a `note…` method: its caller redraws the page. */
  constructor(show: () => void) {
    this.#show = show;
  }

  /** The accounts that the latest search found. */
  get found(): readonly ListedAccount[] {
    return this.#listed;
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

  /** The account in view, unless it is closed, so that only its requests are left. */
  get open(): ListedAccount | undefined {
    return this.state === 'open' ? this.account : undefined;
  }

  /** What has become of the account in view; `gone` if nothing of it is left. */
  get state(): 'loading' | 'open' | 'closed' | 'gone' | 'none' {
    if (this.account) return this.account.closedAt === undefined ? 'open' : 'closed';
    if (!this.#isLookedUp) return 'loading';
    return this.#chosen === undefined ? 'none' : 'gone';
  }

  /** The id of the account in view, even if that is gone. */
  get chosen(): string | undefined {
    return this.#chosen;
  }

  /**
   * Whether to stay with the account despite `follows`: another view, or one request, is open. When
   * that ends, switches to the account that would be in view by now.
   */
  hold(holds: boolean): void {
    const resumes = this.#holds && !holds;
    this.#holds = holds;
    this.#fallBack();
    if (resumes) this.#followLatest();
  }

  /** Whether `follows` waits because the account must stay. */
  get isPaused(): boolean {
    return this.follows && this.#holds;
  }

  /** The id to show in the address; empty while the account may switch by itself. */
  get addressed(): string {
    return this.follows && !this.#holds ? '' : (this.#chosen ?? '');
  }

  /** Switches to an account, and stops following the latest request. */
  choose(id: string): void {
    this.follows = false;
    this.account = undefined;
    this.#isLookedUp = false;
    this.#lookAt(id);
  }

  /** Leaves an account that is gone for the latest one, and follows the latest request again. */
  leave(): void {
    this.#chosen = undefined;
    this.follow(true);
  }

  /**
   * Switches to the next account with a failed test, newest first; after the last, to the first.
   */
  async chooseFailed(): Promise<void> {
    const { accounts } = await read({ limit: MAX_PAGE, failed: 'true', closed: 'true' });
    const next = accounts[accounts.findIndex(({ id }) => id === this.#chosen) + 1] ?? accounts[0];
    if (next) this.choose(next.id);
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
    this.#fallBack();
    this.#show();
  }

  search(text: string): void {
    this.#text = text;
    void this.list();
  }

  /** Lists the accounts again, because requests change them; may switch to that of the latest. */
  note({ requests }: Schemas['RequestBatch']): void {
    if (requests.some(({ account, method }) => account === this.account?.id && method !== 'GET'))
      this.writes += 1;
    void this.list();
    for (const { account } of requests)
      if (account !== undefined && this.#isNext(account)) this.#latest = account;
    this.#followLatest();
  }

  /** Whether to leave the latest account for this one: a test stays until another begins. */
  #isNext(id: string): boolean {
    const isOfTest = (of?: string) => this.shown.find((one) => one.id === of)?.run !== undefined;
    return !isOfTest(this.#latest) || !this.#names.has(id) || !isOfTest(id);
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
    const withClosed = { limit: LISTED, text, closed: 'true' };
    const open = await read(text === '' ? { limit: LISTED } : withClosed);
    const { total, failed } = open;
    // After a run, the accounts of all its tests may be closed.
    const { accounts } = open.accounts.length > 0 ? open : await read(withClosed);
    const broken = failed > 0 ? (await read({ ...withClosed, failed: 'true' })).accounts : [];
    // By id, not by outcome: a test may have failed between the two calls.
    const others = accounts.filter(({ id }) => broken.every((one) => one.id !== id));
    const chosen = this.#chosen;
    const listed = [...broken, ...others].filter(({ id }) => id === chosen);
    const isKnown = chosen === undefined || listed.length > 0;
    const [found] = isKnown ? listed : [await find(chosen)];
    Object.assign(this, { total, failed });
    if (this.#mayHaveRestarted && this.account && !found)
      this.restart = { at: new Date(), before: this.account };
    this.#mayHaveRestarted = false;
    this.#broken = broken;
    this.#listed = [...broken, ...others];
    this.searched = text;
    if (this.#chosen === chosen) {
      this.account = found;
      this.#isLookedUp = true;
      this.#fallBack();
    }
    for (const { id, name } of this.shown) this.#names.set(id, name);
    this.#followLatest();
    this.#show();
  }

  #followLatest(): void {
    const id = this.#latest;
    if (!this.follows || this.#holds || id === undefined || this.#chosen === id) return;
    if (performance.now() - this.#switchedAtMs < SWITCH_MS) return;
    this.#switchedAtMs = performance.now();
    this.#lookAt(id);
  }

  /**
   * If no account was in view yet, and the address names none, takes the one asked last: of those
   * of failed tests, or else of all.
   */
  #fallBack(): void {
    if (!this.#isLookedUp || this.#chosen !== undefined) return;
    this.account = lastAsked(this.#broken.length > 0 ? this.#broken : this.#listed);
    this.#chosen = this.account?.id;
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

/** The account with this id, open or closed, whether it is listed or not. */
export async function find(id: string): Promise<ListedAccount | undefined> {
  const { accounts } = await read({ limit: 1, text: id, closed: 'true' });
  return accounts.find((one) => one.id === id);
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
