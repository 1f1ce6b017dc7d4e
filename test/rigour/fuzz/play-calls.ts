import type { Outcome } from '../server/call.js';
import {
  type AccountState,
  checkOther,
  openOther,
  readState,
  refuseChange,
} from './account-state.js';
import { type CallPlan, callOf, callTo, type PlannedCall } from './calls.js';
import { checkResponse, parsed } from './check-response.js';
import type { Note } from './kind.js';
import type { Target } from './target.js';

/** Operations that change the responses to other calls of the account. */
const ARRANGING = /fault|stub|decision|restore|snapshot/i;
/** Operations that affect other accounts, too. */
const OF_ALL = /closeAllAccounts|resetAllAccounts/;
/** Kinds of fault that send no response, or not a complete one. */
const BREAKING = /^(reset|empty|truncated|malformed-json)$/;
const READING = /^(GET|HEAD|OPTIONS)$/;

const isOfControl = ({ path }: PlannedCall) => path.startsWith('/__control');
const isStream = ({ operation, method }: PlannedCall) =>
  operation.operationId === 'streamRequests' && method === 'GET';
const OWN_RECORD = callTo('PUT /__control/customers/{id}', '{{own}}', { name: '{{own}}' });
const isOf = (pattern: RegExp, call: PlannedCall) => pattern.test(call.operation.operationId);

/** The faults or stubs in a state. */
const listIn = (state: AccountState, name: string): readonly { kind?: string; status?: number }[] =>
  Object(state[name])[name] ?? [];

/** Makes the calls of a plan in a new account; throws at the first wrong response. */
export async function playCalls(target: Target, plan: CallPlan, note: Note): Promise<void> {
  await target.clean();
  const other = await openOther(target.send, target.newToken());
  const played = new PlayedCalls(target, note, other.id);
  await played.open();
  if (plan.isBurst) await played.playAtOnce(plan.calls);
  else for (const call of plan.calls) await played.play(call);
  await played.endStreams();
  const mayDiffer = plan.calls.some((call) => isOf(OF_ALL, call));
  await checkOther(target.send, other, mayDiffer);
  await target.checkAlive();
}

/** A case under way: its account, and what it has learnt. */
class PlayedCalls {
  readonly #target: Target;
  readonly #note: Note;
  readonly #filling: Record<string, string>;
  readonly #streams: (readonly [PlannedCall, Promise<Outcome>])[] = [];
  #state: AccountState = {};

  constructor(target: Target, note: Note, other: string) {
    this.#target = target;
    this.#note = note;
    const token = target.newToken();
    this.#filling = { token, own: `record-of-${token}`, other, cursor: 'x' };
  }

  get #token(): string {
    return this.#filling.token ?? '';
  }

  async open(): Promise<void> {
    await this.#target.send(callOf(OWN_RECORD, this.#filling));
    await this.#look();
  }

  /** Makes a call, and checks its response and what it has changed. */
  async play(planned: PlannedCall): Promise<void> {
    const call = callOf(planned, this.#filling);
    if (isStream(planned)) {
      this.#streams.push([planned, this.#target.follow(call)]);
      return;
    }
    const before = this.#state;
    const outcome = await this.#target.send(call);
    const { status = 0, text } = outcome;
    this.#note(planned, status);
    this.#judge(planned, outcome);
    this.#filling.cursor = Object(parsed(text)).nextCursor ?? this.#filling.cursor;
    await this.#look();
    // A read changes nothing, except that faults count and end.
    if (status < 400 && READING.test(call.method))
      refuseChange(before, this.#state, `a call that reads (${status})`, 'faults');
    // A fault may replace the response of an operation that has changed something.
    if (status >= 400 && (isOfControl(planned) || listIn(before, 'faults').length === 0))
      refuseChange(before, this.#state, `a refused call (${status} ${text.slice(0, 1_000)})`);
  }

  /** Makes all calls at once; checks only their responses, less if one arranges those of others. */
  async playAtOnce(all: readonly PlannedCall[]): Promise<void> {
    const calls = all.filter((one) => !isStream(one));
    const sent = calls.map((one) => this.#target.send(callOf(one, this.#filling)));
    const arranging = calls.filter((one) => isOf(ARRANGING, one));
    for (const [nth, outcome] of (await Promise.all(sent)).entries()) {
      this.#note(calls[nth] as PlannedCall, outcome.status ?? 0);
      this.#judge(calls[nth] as PlannedCall, outcome, arranging);
    }
  }

  async endStreams(): Promise<void> {
    for (const [planned, stream] of this.#streams) {
      const { failure, ...outcome } = await stream;
      this.#note(planned, outcome.status ?? 0);
      const isFollowed = outcome.status === 200 && failure === 'TIMEOUT';
      this.#judge(planned, isFollowed ? outcome : { ...outcome, ...(failure && { failure }) });
    }
  }

  /** Throws if neither the state before nor any order of simultaneous calls explains it. */
  #judge(planned: PlannedCall, outcome: Outcome, arranging: readonly PlannedCall[] = []): void {
    const { operation, method, path, headers } = planned;
    const isControl = isOfControl(planned);
    const faults = isControl ? [] : listIn(this.#state, 'faults');
    const meetsStub = !isControl && operation.operationId === 'none';
    const stubs = meetsStub ? listIn(this.#state, 'stubs') : [];
    const isAmongArranging = !isControl && arranging.length > 0;
    const mayBreak = isAmongArranging || faults.some(({ kind = '' }) => BREAKING.test(kind));
    if (mayBreak && outcome.failure !== undefined && outcome.failure !== 'TIMEOUT') return;
    const { Accept = '', Prefer = '' } = headers;
    const bodies = arranging.map(({ body }) => body).join();
    const arranged = [
      ...[...faults, ...stubs].map((one) => one.status ?? 0),
      ...[...(bodies.match(/(?<="status":)\d{3}/g) ?? []), /\d{3}/.exec(Prefer)].map(Number),
    ];
    const isGiven = stubs.length > 0 || faults.some(({ kind }) => kind === 'respond');
    checkResponse(outcome, {
      ...{ path, token: this.#token, acceptsHtml: /text\/html/.test(Accept) },
      arranged: isControl ? [] : arranged,
      errorBody: isControl ? 'problem-json' : Object(this.#state.decisions)['error-body'],
      mayBeEmpty: method === 'HEAD',
      mayBeStub: isAmongArranging || isGiven,
    });
  }

  async #look(): Promise<void> {
    this.#state = await readState(this.#target.send, this.#token);
    const { text } = await this.#target.send({
      method: 'GET',
      path: '/__control/accounts?limit=1',
    });
    // The account that was opened last, possibly again after it was closed.
    this.#filling.id = Object(parsed(text)).accounts?.[0]?.id ?? '';
  }
}
