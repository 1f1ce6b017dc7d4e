import type { Call } from '../server/call.js';
import { codedBody } from './coded-body.js';
import { CONTROL_OPERATIONS, SERVICE_OPERATIONS } from './documents.js';
import { Finding, withPasted } from './finding.js';
import { type FollowedStream, followStream } from './follow-stream.js';
import { cursorIn, isOfAll, judgeAmongArranging, judgeCall, statusesIn } from './judge-call.js';
import { checkOther, type OtherAccount, openOther } from './other-account.js';
import { curlOf } from './pasted.js';
import type { Plan } from './plan.js';
import type { Actor, PlannedCall } from './planned-call.js';
import { type AccountState, faultsIn, readState, refuseChange } from './state.js';
import type { Target } from './target.js';

/** Makes the calls of a plan in an account of its own; throws a `Finding` at the first wrong response. */
export async function playCalls(target: Target, plan: Plan, tally: Tally): Promise<void> {
  await target.clean();
  const played = new PlayedCase(target, await openOther(target), tally);
  try {
    await played.open();
    if (plan.isBurst) await played.playAtOnce(plan.calls);
    else for (const call of plan.calls) await played.play(call);
    await played.end();
    await target.checkAlive();
  } catch (thrown) {
    throw withPasted(thrown, played.pasted);
  } finally {
    played.leave();
  }
}

/** One case under way: its account, and what it has learnt. */
class PlayedCase {
  readonly #target: Target;
  readonly #other: OtherAccount;
  readonly #tally: Tally;
  readonly #token: string;
  readonly #streams: FollowedStream[] = [];
  /** The id of the account, and a cursor that was seen. */
  #id = '';
  #cursor = 'x';
  #state: AccountState = {};
  #hasTouchedOther = false;
  readonly pasted: string[] = [];

  constructor(target: Target, other: OtherAccount, tally: Tally) {
    this.#target = target;
    this.#other = other;
    this.#tally = tally;
    this.#token = target.newToken();
  }

  async open(): Promise<void> {
    const headers = { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ id: this.#own, name: this.#own });
    const call: Call = { method: 'POST', path: '/__control/customers', headers, body };
    this.pasted.push(curlOf(call));
    await this.#target.send(call);
    await this.#look();
  }

  /** Makes a call, and checks its response and what it has changed. */
  async play(planned: PlannedCall): Promise<void> {
    const call = this.#callOf(planned);
    this.pasted.push(curlOf(call));
    const before = this.#state;
    const outcome = isStream(planned) ? await this.#follow(call) : await this.#target.send(call);
    const { status = 0, text } = outcome;
    this.#tally.note(planned, status);
    judgeCall(planned, outcome, before, this.#token);
    this.#cursor = cursorIn(planned, outcome) ?? this.#cursor;
    await this.#look();
    if (status < 400 && isOfAll(planned)) this.#hasTouchedOther = true;
    // What was read has changed nothing, but faults count and end.
    if (status < 400 && READING.test(call.method))
      refuseChange(before, this.#state, `a call that reads (${status})`, ['faults']);
    const isOfService = !planned.path.startsWith('/__control');
    // What an operation did stays where only its response is a fault's.
    if (status < 400 || (isOfService && faultsIn(before).length > 0)) return;
    refuseChange(before, this.#state, `a refused call (${status} ${text.slice(0, 1_000)})`);
  }

  /** Makes all calls at once: only their responses are checked, less so if one arranges what others get. */
  async playAtOnce(all: readonly PlannedCall[]): Promise<void> {
    const calls = all
      .filter((one) => !isStream(one))
      .map((one) => [one, this.#callOf(one)] as const);
    this.pasted.push(...calls.map(([, call]) => `${curlOf(call)} &`));
    this.#hasTouchedOther = calls.some(([planned]) => isOfAll(planned));
    const isArranged = calls.some(([{ operation }]) => ARRANGING.test(operation.operationId));
    const outcomes = await Promise.all(
      calls.map(async ([planned, call]) => [planned, await this.#target.send(call)] as const),
    );
    const arranged = statusesIn(all);
    for (const [planned, outcome] of outcomes) {
      this.#tally.note(planned, outcome.status ?? 0);
      if (outcome.failure === 'TIMEOUT') throw new Finding('a response in time', outcome.failure);
      if (isArranged) judgeAmongArranging(planned, outcome, arranged, this.#token);
      else judgeCall(planned, outcome, this.#state, this.#token);
    }
  }

  /** Throws a `Finding` if streams or the other account have what they must not. */
  async end(): Promise<void> {
    for (const stream of this.#streams) stream.check(this.#token);
    await checkOther(this.#target, this.#other, this.#hasTouchedOther);
  }

  leave(): void {
    for (const stream of this.#streams) stream.leave();
  }

  get #own(): string {
    return `record-of-${this.#token}`;
  }

  async #follow(call: Call) {
    const stream = await followStream(this.#target.url, call);
    this.#streams.push(stream);
    return stream.outcome;
  }

  async #look(): Promise<void> {
    this.#state = await readState(this.#target.send, this.#token);
    const listed = await this.#target.send({ method: 'GET', path: '/__control/accounts?limit=1' });
    // It was opened last, anew where it was closed.
    this.#id = JSON.parse(listed.text).accounts[0]?.id ?? '';
  }

  #callOf(planned: PlannedCall): Call {
    const { method, actor, query, coding } = planned;
    const fill = (text: string) =>
      text.replaceAll('{{own}}', this.#own).replaceAll('{{cursor}}', this.#cursor);
    const path = fill(planned.path) + (query === '' ? '' : `?${fill(query)}`);
    const text = planned.body === undefined ? undefined : fill(planned.body);
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const isCoded = text !== undefined && coding !== undefined;
    return {
      method,
      path,
      headers: {
        ...type,
        ...this.#headersOf(actor),
        ...(isCoded && coding.headers),
        ...planned.headers,
      },
      body: isCoded ? codedBody(text, coding) : text,
    };
  }

  #headersOf(actor: Actor): Record<string, string> {
    const bearer = { Authorization: `Bearer ${this.#token}` };
    const headers: Record<Actor, Record<string, string>> = {
      token: bearer,
      id: { 'X-Account-Id': this.#id },
      none: {},
      malformed: { Authorization: `Basic ${this.#token}` },
      refused: { Authorization: 'Bearer token-refused' },
      'unknown id': { 'X-Account-Id': '0c7a2f5e-8d1b-4a63-9f0e-5b2d7c4e1a98' },
      'id of another token': { ...bearer, 'X-Account-Id': this.#other.id },
    };
    return headers[actor];
  }
}

/** Operations that change what other calls of the account get. */
const ARRANGING = /fault|stub|decision|restore|snapshot/i;

const READING = /^(GET|HEAD|OPTIONS)$/;

function isStream({ operation, method }: PlannedCall): boolean {
  return operation.operationId === 'streamRequests' && method === 'GET';
}

const OPERATIONS = [...SERVICE_OPERATIONS, ...CONTROL_OPERATIONS].map((one) => one.operationId);

/** What the calls of a run have come to. */
export class Tally {
  /** How many calls were made. */
  calls = 0;
  readonly #succeeded = new Set<string>();

  note({ operation, method }: PlannedCall, status: number): void {
    this.calls += 1;
    const isOfOperation = method === operation.method && OPERATIONS.includes(operation.operationId);
    if (isOfOperation && status >= 200 && status < 300) this.#succeeded.add(operation.operationId);
  }

  get succeeded(): number {
    return this.#succeeded.size;
  }

  /** The operations that no call succeeded in. */
  get notSucceeded(): readonly string[] {
    return OPERATIONS.filter((operationId) => !this.#succeeded.has(operationId));
  }
}
