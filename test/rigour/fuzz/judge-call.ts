import type { Outcome } from '../server/call.js';
import { type Circumstances, checkResponse } from './check-response.js';
import { Finding } from './finding.js';
import type { PlannedCall } from './planned-call.js';
import { type AccountState, decisionIn, faultsIn, stubsIn } from './state.js';

/** Kinds of fault whose response is none, or not whole. */
const BREAKING = ['reset', 'empty', 'truncated', 'malformed-json'];

/** What others than the account of the case notice too. */
const OF_ALL = /closeAllAccounts|resetAllAccounts/;

/** Whether a call may change every account. */
export function isOfAll({ operation }: PlannedCall): boolean {
  return OF_ALL.test(operation.operationId);
}

/** Throws a `Finding` if the outcome is none that the state of the account before it allows. */
export function judgeCall(
  planned: PlannedCall,
  outcome: Outcome,
  before: AccountState,
  token: string,
): void {
  const isControl = isOfControl(planned);
  const faults = isControl ? [] : faultsIn(before);
  const stubs = isControl ? [] : stubsIn(before);
  const { status = 0, failure, text } = outcome;
  if (failure !== undefined) {
    const isArranged = faults.some(({ kind }) => BREAKING.includes(kind));
    if (isArranged && failure !== 'TIMEOUT') return;
    throw new Finding('a whole response', `${failure} ${status} ${text.slice(0, 1_000)}`);
  }
  const isGiven = faults.some(({ kind }) => kind === 'respond');
  const mayBeStub = isGiven || (stubs.length > 0 && mayMeetStub(planned));
  const arranged = [...faults, ...(mayBeStub ? stubs : [])].map((one) => one.status ?? 0);
  const errorBody = isControl ? 'problem-json' : decisionIn(before, 'error-body');
  check(planned, outcome, { arranged, errorBody, mayBeStub, token });
}

/**
 * Throws a `Finding` if the outcome is none that any order of calls made at once allows, some of which
 * arrange what others get.
 */
export function judgeAmongArranging(
  planned: PlannedCall,
  outcome: Outcome,
  arranged: readonly number[],
  token: string,
): void {
  // Any call of the service may meet a fault that breaks its response.
  const mayBeBroken = !isOfControl(planned);
  const { failure } = outcome;
  if (failure !== undefined && mayBeBroken) return;
  if (failure !== undefined) throw new Finding('a whole response', failure);
  const mayBeStub = mayBeBroken && mayMeetStub(planned);
  check(planned, outcome, { arranged, errorBody: 'problem-json', mayBeStub, mayBeBroken, token });
}

function check(
  planned: PlannedCall,
  outcome: Outcome,
  circumstances: Omit<Circumstances, 'path' | 'acceptsHtml' | 'mayBeEmpty'>,
): void {
  const { method, path, headers } = planned;
  const { Accept = '', Prefer = '' } = headers;
  const arranged = [...circumstances.arranged, Number(/\d{3}/.exec(Prefer))];
  checkResponse(
    { ...outcome, status: outcome.status ?? 0 },
    {
      ...{ ...circumstances, arranged: isOfControl(planned) ? [] : arranged },
      ...{ path, acceptsHtml: /text\/html/.test(Accept), mayBeEmpty: method === 'HEAD' },
    },
  );
}

function isOfControl({ path }: PlannedCall): boolean {
  return path.startsWith('/__control');
}

function mayMeetStub({ operation }: PlannedCall): boolean {
  return /^(beside|none)$/.test(operation.operationId);
}

/** The statuses that bodies of calls arrange, of faults, stubs and those in a state. */
export function statusesIn(calls: readonly PlannedCall[]): number[] {
  return calls.flatMap(({ body = '' }) =>
    [...body.matchAll(/"status":(\d{3})/g)].map(([, status]) => Number(status)),
  );
}

/** The `nextCursor` of a success of the control plane, if it has one; expects JSON of it. */
export function cursorIn({ operation, method, path }: PlannedCall, outcome: Outcome) {
  const { status = 0, text, headers } = outcome;
  const isOperation = !['none', 'streamRequests'].includes(operation.operationId);
  const isExpected = isOperation && path.startsWith('/__control') && method === operation.method;
  if (!isExpected || status < 200 || status > 299) return undefined;
  const mediaType = String(headers['content-type']);
  try {
    if (!mediaType.startsWith('application/json')) throw new Error('another media type');
    return Object(JSON.parse(text)).nextCursor as string | undefined;
  } catch (error) {
    const why = (error as Error).message;
    throw new Finding(`JSON of ${path}`, `${mediaType} (${why}) ${text.slice(0, 500)}`);
  }
}
