import type { Logger } from 'pino';
import type { IdleAccounts } from '../accounts/close-idle-accounts.js';
import type { Known } from '../accounts/journal/hide-credentials.js';
import type { Follower } from '../accounts/journal/journal.js';
import { describeRequest, type JournalRequest } from '../accounts/journal/journal-request.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import type { Subscriber } from '../service/exchange.js';
import { captureResponses } from './capture-responses.js';
import { countCalls } from './count-calls.js';
import { logFailures, logRequests } from './log-requests.js';

/** A request that has ended, as it is shown, and the name of the account that it reached. */
export type EndedExchange = JournalRequest & { readonly account?: string };

export interface SubscribersParts {
  /** Texts that are credentials in every request, such as the control token. */
  readonly known: Known;
  readonly coverage: CoverageCounter;
  readonly logger: Logger;
  /** Closes idle accounts. If left out, accounts stay open. */
  readonly idleAccounts?: IdleAccounts | undefined;
  /** Called with the number of records that a request has deleted. */
  readonly noteDeletions?: ((deletions: number) => void) | undefined;
  /** Called with each request that a journal has noted, when it has ended. */
  readonly record?: ((exchange: EndedExchange) => void) | undefined;
  /** What follows requests, such as event streams; bodies are kept while one wants responses. */
  readonly followers: Iterable<Pick<Follower, 'wantsResponses'>>;
  /** True to keep all bodies anyway. */
  readonly captureBodies?: boolean;
  /** For how many of the latest responses to keep a body of up to 16 kB anyway. */
  readonly recentBodies?: number;
}

/** All that learn of an exchange, in the order in which they are told. */
export function subscribersOf(parts: SubscribersParts): readonly Subscriber[] {
  const { coverage, logger, idleAccounts, record, captureBodies, known, noteDeletions } = parts;
  return [
    logFailures(logger, known),
    ...(logger.level === 'silent' ? [] : [logRequests(logger, known)]),
    countCalls(coverage),
    // As if a stream that asks for bodies were always open.
    captureResponses(
      captureBodies ? [{ wantsResponses: true }] : parts.followers,
      parts.recentBodies,
    ),
    ...(record ? [recordRequests(record, known)] : []),
    ...(idleAccounts ? [{ onRequest: idleAccounts.begin, onEnd: idleAccounts.end }] : []),
    closeEntries,
    ...(noteDeletions ? [countDeletions(noteDeletions)] : []),
  ];
}

function countDeletions(note: (deletions: number) => void): Subscriber {
  return { onEnd: ({ noted }) => noted?.deleted && note(noted.deleted) };
}

function recordRequests(record: NonNullable<SubscribersParts['record']>, known: Known): Subscriber {
  return {
    onEnd({ account, noted }) {
      if (!noted) return;
      const name = account && { account: account.owner.name };
      record({ ...name, ...describeRequest(noted, known) });
    },
  };
}

/** After all that read the response, because a journal releases the response of a request that it does not keep. */
const closeEntries: Subscriber = {
  onEnd: ({ journal, noted }) => noted && journal?.close(noted),
};
