import type { Call, Outcome, Send } from '../server/call.js';
import { AccountModel } from './account-model.js';
import type { World } from './dataset-facts.js';
import type { Pace } from './pace.js';

/** A response that differs from the model. */
export class WrongResponse extends Error {
  override name = 'WrongResponse';
}

/** The members of responses that are read. */
export interface Body {
  readonly id?: number | string;
  readonly status?: number;
  readonly count?: number;
  readonly evicted?: number;
  readonly fingerprint?: string;
  readonly customer?: { readonly id?: string; readonly name?: string };
  readonly contract?: { readonly id?: string; readonly deletedAt?: string };
  readonly events?: readonly { readonly ref?: string }[];
  readonly faults?: readonly { readonly id: number; readonly fired: number }[];
  readonly changes?: readonly { readonly id: string }[];
  readonly accounts?: readonly { readonly id: string; readonly name: string }[];
}

/** What all tenants of a server share. */
export interface Surroundings {
  readonly url: string;
  readonly send: Send;
  readonly pace: Pace;
  readonly world: World;
  /** Called with the duration of each response that no fault delays. */
  readonly note: (durationMs: number) => void;
}

/** Calls the service under its own token, one call at a time, and knows what to expect. */
export class Tenant {
  readonly surroundings: Surroundings;
  readonly #number: number;
  /** A number from 0 up to 1, from a generator with a seed. */
  readonly random: () => number;
  model: AccountModel;
  token = '';
  #tokens = 0;

  constructor(surroundings: Surroundings, number: number, random: () => number) {
    this.surroundings = surroundings;
    this.#number = number;
    this.random = random;
    this.model = new AccountModel(surroundings.world);
    this.renew();
  }

  /** Leaves the account, which will be closed when it is idle, and uses another. */
  renew(): void {
    this.#tokens += 1;
    const inBase36 = (value: number) => value.toString(36).padStart(2, '0');
    // The name of the account shows the last 4 characters of a long token; no other open one has them.
    const end = inBase36(this.#number) + inBase36(this.#tokens % 36 ** 2);
    this.token = `the-token-of-a-tenant-of-the-soak-${this.#tokens}-${end}`;
    this.model = new AccountModel(this.surroundings.world);
  }

  /** Calls the service. */
  async serve(method: string, path: string, body?: unknown, isHeldBack = false): Promise<Outcome> {
    const outcome = await this.#call(method, path, body, isHeldBack);
    this.model.received += 1;
    return outcome;
  }

  /** Calls the control plane, and expects a success or the given status. */
  async control(method: string, path: string, body?: unknown, status?: number): Promise<Outcome> {
    const outcome = await this.#call(method, `/__control${path}`, body, false);
    const expected = status ?? (outcome.status === 201 ? 201 : 200);
    this.expect(outcome, { status: expected });
    return outcome;
  }

  /** Throws a `WrongResponse` if a response, or its body, has other values than these. */
  expect(outcome: Outcome, expected: Readonly<Record<string, unknown>>): void {
    const { status, failure } = outcome;
    const body =
      failure === undefined && 'status' in expected && Object.keys(expected).length === 1
        ? {}
        : jsonOf(outcome);
    const received = { ...body, status, ...(failure !== undefined && { failure }) } as Record<
      string,
      unknown
    >;
    for (const [name, value] of Object.entries(expected)) {
      this.same(name, received[name], value, outcome);
    }
  }

  /** Throws a `WrongResponse` if two values differ. */
  same(
    what: string,
    received: unknown,
    expected: unknown,
    { status, failure, text }: Partial<Outcome> = {},
  ): void {
    const [one, other] = [received, expected].map((value) => JSON.stringify(value));
    if (one === other) return;
    throw new WrongResponse(
      `${what}: expected ${other?.slice(0, 300)}, received ${one?.slice(0, 300)} (${this.token}: ${failure ?? status ?? ''} ${text?.slice(0, 300) ?? ''})`,
    );
  }

  /** One of a list, or undefined if it is empty. */
  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  async #call(method: string, path: string, body: unknown, isHeldBack: boolean): Promise<Outcome> {
    const { pace, send, note } = this.surroundings;
    const dueAtMs = await pace.turn();
    const call: Call = {
      method,
      path,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const outcome = await send(call);
    if (!isHeldBack) note(performance.now() - dueAtMs);
    if (outcome.failure === 'TIMEOUT')
      throw new WrongResponse(`${method} ${path}: no response in time`);
    return outcome;
  }
}

/** The JSON of a response; an empty object if it is not JSON. */
export function jsonOf({ text }: Outcome): Body {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
