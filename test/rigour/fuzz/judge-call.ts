import type { Outcome } from '../server/call.js';
import { checkAnswer } from './check-answer.js';
import { Finding } from './finding.js';
import type { PlannedCall } from './planned-call.js';
import { type AccountState, decisionIn, faultsIn, stubsIn } from './state.js';

/** Kinds of fault whose answer is none, or not whole. */
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
  const { operation, method, path, headers } = planned;
  const isControl = path.startsWith('/__control');
  const faults = isControl ? [] : faultsIn(before);
  const stubs = isControl ? [] : stubsIn(before);
  const { status = 0, failure, text } = outcome;
  if (failure !== undefined) {
    const isArranged = faults.some(({ kind }) => BREAKING.includes(kind));
    if (isArranged && failure !== 'TIMEOUT') return;
    throw new Finding('a whole answer', `${failure} ${status} ${text.slice(0, 1_000)}`);
  }
  const mayBeStub = stubs.length > 0 && /^(beside|none)$/.test(operation.operationId);
  const arranged = [...faults, ...(mayBeStub ? stubs : [])].map((one) => one.status ?? 0);
  const preferred = isControl ? 0 : preferredIn(headers);
  checkAnswer(
    { ...outcome, status },
    {
      path,
      acceptsHtml: /text\/html/.test(headers.Accept ?? ''),
      mayBeEmpty: method === 'HEAD',
      arranged: [...arranged, preferred],
      errorBody: isControl ? 'problem-json' : decisionIn(before, 'error-body'),
      mayBeStub,
      token,
    },
  );
}

/**
 * Throws a `Finding` if the outcome is none that any order of calls made at once allows, some of which
 * arrange what others get.
 */
export function judgeAmongArranging(
  { operation, method, path, headers }: PlannedCall,
  { status = 0, failure, ...answer }: Outcome,
  arranged: readonly number[],
  token: string,
): void {
  // Any call of the service may meet a fault that breaks its answer.
  const isControl = path.startsWith('/__control');
  if (failure !== undefined && isControl) throw new Finding('a whole answer', failure);
  if (failure !== undefined) return;
  checkAnswer(
    { ...answer, status },
    {
      path,
      acceptsHtml: /text\/html/.test(headers.Accept ?? ''),
      mayBeEmpty: method === 'HEAD',
      arranged: isControl ? [] : [...arranged, preferredIn(headers)],
      errorBody: 'problem-json',
      mayBeStub: !isControl && /^(beside|none)$/.test(operation.operationId),
      mayBeBroken: !isControl,
      token,
    },
  );
}

/** The statuses that bodies of calls arrange, of faults, stubs and those in a state. */
export function statusesIn(calls: readonly PlannedCall[]): number[] {
  return calls.flatMap(({ body = '' }) =>
    [...body.matchAll(/"status":(\d{3})/g)].map(([, status]) => Number(status)),
  );
}

function preferredIn({ Prefer = '' }: Readonly<Record<string, string>>): number {
  return Number(/\d{3}/.exec(Prefer));
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
