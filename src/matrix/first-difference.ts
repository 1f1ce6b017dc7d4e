import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { isObject } from '../values/json-value.js';
import type { RunRequest } from './requests-of-run.js';

/**
 * The exchange that tells most of why a run failed: the first that differs from the baseline in the
 * account of a test that is marked as failed, or else in an account whose last exchange differs, since
 * a test ends where it fails.
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
 * The exchanges of a run that were answered differently than in the baseline. Calls of one
 * method and target are compared in sequence, the second DELETE with the second: its 200 is new
 * where that one was a 404, though the first was a 200 as well. Tests that run side by side call in
 * another order each time, so that calls of different targets are not compared in sequence, and a
 * response that only changed places with another of its target is no difference either. Accounts
 * are not told apart: a client may generate another token in each run.
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

/** What was called. A cursor may be another in every run: the responses on its pages are compared. */
function targetOf({ method, path, query = '' }: JournalRequest): string {
  return `${method} ${path}?${query.replace(/\bcursor=[^&]+/, 'cursor=…')}`;
}

/** What is another in every run, in a record or in the sentence of a problem. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** How it was answered: with its body, or the length of that if it is more than 16 kB. */
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
