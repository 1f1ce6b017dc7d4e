import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Call, Outcome } from '../server/call.js';
import {
  type AccountState,
  checkOther,
  openOther,
  readState,
  refuseChange,
} from './account-state.js';
import { type CallPlan, CODERS, callTo, fieldOf, type PlannedCall } from './calls.js';
import { checkResponse, demand, parsed, refuseOtherTokens } from './check-response.js';
import { BOUND_MS, type Target } from './target.js';

/** Is told of each call, and of its status. */
export type Note = (call: PlannedCall, status: number) => void;

/** A planned call as it is sent. */
export function callOf(
  { coding, query, ...planned }: PlannedCall,
  filling: Readonly<Record<string, string>>,
): Call {
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name) => filling[name] ?? placeholder);
  const { method, path, headers } = planned;
  const body = planned.body === undefined ? undefined : fill(planned.body);
  const code = coding === undefined ? undefined : CODERS[coding];
  return {
    method,
    path: fill(path) + (query === '' ? '' : `?${fill(query)}`),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(body !== undefined && coding !== undefined && fieldOf(coding)),
      ...JSON.parse(fill(JSON.stringify(headers))),
    },
    body: body !== undefined && code ? code(body) : body,
  };
}

/** Operations that change what other calls of the account get. */
const ARRANGING = /fault|stub|decision|restore|snapshot/i;
/** What others than the account of the case notice too. */
const OF_ALL = /closeAllAccounts|resetAllAccounts/;
/** Kinds of fault whose response is none, or not whole. */
const BREAKING = /^(reset|empty|truncated|malformed-json)$/;
const READING = /^(GET|HEAD|OPTIONS)$/;

const isOfControl = ({ path }: PlannedCall) => path.startsWith('/__control');
const isStream = ({ operation, method }: PlannedCall) =>
  operation.operationId === 'streamRequests' && method === 'GET';
const OWN_RECORD = callTo('PUT /__control/customers/{id}', '{{own}}', { name: '{{own}}' });
const isOf = (pattern: RegExp, call: PlannedCall) => pattern.test(call.operation.operationId);

interface Arranged {
  readonly kind?: string;
  readonly status?: number;
}
const faultsIn = (state: AccountState): readonly Arranged[] => Object(state.faults).faults ?? [];
const stubsIn = (state: AccountState): readonly Arranged[] => Object(state.stubs).stubs ?? [];

/** Makes the calls of a plan in an account of its own; throws at the first wrong response. */
export async function playCalls(target: Target, plan: CallPlan, note: Note): Promise<void> {
  await target.clean();
  const other = await openOther(target.send, target.newToken());
  const played = new PlayedCalls(target, note, other.id);
  try {
    await played.open();
    if (plan.isBurst) await played.playAtOnce(plan.calls);
    else for (const call of plan.calls) await played.play(call);
    played.end();
    await checkOther(
      target.send,
      other,
      plan.calls.some((call) => isOf(OF_ALL, call)),
    );
    await target.checkAlive();
  } finally {
    played.end();
  }
}

/** One case under way: its account, and what it has learnt. */
class PlayedCalls {
  readonly #target: Target;
  readonly #note: Note;
  readonly #token: string;
  readonly #filling: Record<string, string>;
  /** Ends each stream that is followed; throws if it has shown another account. */
  readonly #streams: (() => void)[] = [];
  #state: AccountState = {};

  constructor(target: Target, note: Note, other: string) {
    this.#target = target;
    this.#note = note;
    const token = target.newToken();
    this.#token = token;
    this.#filling = { token, own: `record-of-${token}`, other, cursor: 'x' };
  }

  async open(): Promise<void> {
    await this.#target.send(callOf(OWN_RECORD, this.#filling));
    await this.#look();
  }

  /** Makes a call, and checks its response and what it has changed. */
  async play(planned: PlannedCall): Promise<void> {
    const call = callOf(planned, this.#filling);
    const before = this.#state;
    const outcome = isStream(planned) ? await this.#follow(call) : await this.#target.send(call);
    const { status = 0, text } = outcome;
    this.#note(planned, status);
    this.#judge(planned, outcome);
    this.#filling.cursor = cursorIn(planned, outcome) ?? this.#filling.cursor ?? 'x';
    await this.#look();
    // What was read has changed nothing, but faults count and end.
    if (status < 400 && READING.test(call.method))
      refuseChange(before, this.#state, `a call that reads (${status})`, 'faults');
    // What an operation did stays where only its response is a fault's.
    if (status >= 400 && (isOfControl(planned) || faultsIn(before).length === 0))
      refuseChange(before, this.#state, `a refused call (${status} ${text.slice(0, 1_000)})`);
  }

  /** Makes all calls at once: only their responses are checked, less so if one arranges what others get. */
  async playAtOnce(all: readonly PlannedCall[]): Promise<void> {
    const calls = all.filter((one) => !isStream(one));
    const sent = calls.map((one) => this.#target.send(callOf(one, this.#filling)));
    const arranging = calls.filter((one) => isOf(ARRANGING, one));
    for (const [nth, outcome] of (await Promise.all(sent)).entries()) {
      const planned = calls[nth] as PlannedCall;
      this.#note(planned, outcome.status ?? 0);
      this.#judge(planned, outcome, arranging);
    }
  }

  end(): void {
    for (const endStream of this.#streams.splice(0)) endStream();
  }

  /** Throws if no state of the account before it allows the outcome, nor any order of calls made at once. */
  #judge(planned: PlannedCall, outcome: Outcome, arranging: readonly PlannedCall[] = []): void {
    const { operation, method, path, headers } = planned;
    const { failure } = outcome;
    const isControl = isOfControl(planned);
    const faults = isControl ? [] : faultsIn(this.#state);
    const stubs = isControl || operation.operationId !== 'none' ? [] : stubsIn(this.#state);
    const isAmongArranging = !isControl && arranging.length > 0;
    const mayBreak = isAmongArranging || faults.some(({ kind = '' }) => BREAKING.test(kind));
    if (mayBreak && failure !== undefined && failure !== 'TIMEOUT') return;
    const { Accept = '', Prefer = '' } = headers;
    const arranged = [
      ...[...faults, ...stubs].map((one) => one.status ?? 0),
      ...arranging.flatMap(
        ({ body = '' }) => body.match(/(?<="status":)\d{3}/g)?.map(Number) ?? [],
      ),
      Number(/\d{3}/.exec(Prefer)),
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
    // It was opened last, anew where it was closed.
    this.#filling.id = Object(parsed(text)).accounts?.[0]?.id ?? '';
  }

  /** Follows a stream until the end of the case; rejects if nothing comes. */
  async #follow({ path, headers = {} }: Call): Promise<Outcome> {
    const { hostname, port } = new URL(this.#target.command.url);
    const signal = AbortSignal.timeout(BOUND_MS);
    const sent = get({ hostname, port, path, headers, agent: false });
    const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage];
    const { statusCode: status = 0, headers: fields } = response;
    let text = '';
    response.setEncoding('utf8').on('error', () => undefined);
    response.on('data', (piece: string) => {
      text += piece;
    });
    await once(response, status === 200 ? 'data' : 'end', { signal });
    this.#streams.push(() => {
      response.destroy();
      refuseOtherTokens(text, this.#token);
    });
    return { status, headers: fields, text, durationMs: 0 };
  }
}

/** The `nextCursor` of a success of the control plane, if it has one; demands JSON of it. */
function cursorIn(planned: PlannedCall, { status = 0, text, headers }: Outcome) {
  const { operation, method, path } = planned;
  const isOperation = operation.operationId !== 'none' && !isStream(planned);
  const isExpected = isOperation && isOfControl(planned) && method === operation.method;
  if (!isExpected || status < 200 || status > 299) return undefined;
  const [mediaType, body] = [String(headers['content-type']), parsed(text)];
  const isJson = body !== undefined && mediaType.startsWith('application/json');
  demand(isJson, `JSON of ${path}`, `${mediaType} ${text}`);
  return Object(body).nextCursor as string | undefined;
}
