import type { JournalRequest } from '#spec';
import { isObject } from '../../core/values/json-value.js';
import type { RunRequest } from './requests-of-run.js';

/**
 * The exchange that best explains why a run failed: the first that differs from the baseline in the
 * account of a failed test; or else in an account whose last exchange differs, since a test ends
 * where it fails; or else in any account.
 */
export function tellingDifference(
  run: readonly RunRequest[],
  baseline: readonly RunRequest[],
): RunRequest | undefined {
  const differences = differencesOf(run, baseline);
  const lastOf = new Map(run.map((request) => [request.account, request]));
  const telling =
    differences.find(({ hasFailed }) => hasFailed) ??
    differences.find((one) => one.account && lastOf.get(one.account) === one) ??
    differences[0];
  return differences.find(({ account }) => account === telling?.account);
}

/**
 * The exchanges of a run whose responses differ from the baseline's. Calls with the same method and
 * target are compared in sequence: the second DELETE with the second. Parallel tests call in a new
 * order each time, so calls of different targets are not compared in sequence, and two responses of
 * one target that only changed places are no difference. Accounts are ignored, as a client may
 * generate a new token in each run.
 */
function differencesOf(
  run: readonly RunRequest[],
  baseline: readonly RunRequest[],
): readonly RunRequest[] {
  const before = outcomesByTarget(baseline);
  const now = outcomesByTarget(run);
  const seen = new Map<string, number>();
  return run.filter((request) => {
    const target = targetOf(request);
    const place = seen.get(target) ?? 0;
    seen.set(target, place + 1);
    const outcome = outcomeOf(request);
    const expected = before.get(target);
    return (
      expected?.[place] !== outcome && count(now.get(target), outcome) > count(expected, outcome)
    );
  });
}

function outcomesByTarget(requests: readonly JournalRequest[]): ReadonlyMap<string, string[]> {
  const outcomes = new Map<string, string[]>();
  for (const request of requests) {
    const target = targetOf(request);
    const own = outcomes.get(target) ?? [];
    outcomes.set(target, own);
    own.push(outcomeOf(request));
  }
  return outcomes;
}

/** The method and target, without the cursor, which may differ in every run. */
function targetOf({ method, path, query = '' }: JournalRequest): string {
  return `${method} ${path}?${query.replace(/\bcursor=[^&]+/, 'cursor=…')}`;
}

/** Timestamps, in records or in the detail of a problem, differ in every run. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What to compare of a response; for a body of more than 16 kB, only its length. */
function outcomeOf({ status, problem, responseBytes, responseBody }: JournalRequest): string {
  const isWhole = !(isObject(responseBody) && 'hash' in responseBody);
  const response = [status, problem, responseBytes, isWhole && responseBody];
  const withoutCursor = (name: string, value: unknown) =>
    name === 'nextCursor' && value ? '…' : value;
  return JSON.stringify(response, withoutCursor).replaceAll(INSTANT, '…');
}

function count(outcomes: readonly string[] = [], outcome: string): number {
  return outcomes.filter((one) => one === outcome).length;
}
