import { NO_ACCOUNT } from '../connection/call.js';
import { type Mock, useAllJournals } from '../connection/use-mock.js';
import { type Option, Segments } from '../parts/controls.js';
import { useAddressed } from '../parts/route.js';

export type Lane = ReturnType<typeof useLane>;

/** Whose requests to list, and whether they have been read. */
export function useLane(mock: Mock) {
  const { log, accounts } = mock;
  const chosen = useAddressed('of');
  const hasOnlyOthers = accounts.state === 'none' && log.list(NO_ACCOUNT).length > 0;
  const value = chosen.value || (hasOnlyOthers ? NO_ACCOUNT : 'account');
  const isAll = value === 'all';
  const source = value === 'account' ? (accounts.account?.id ?? '') : value;
  const { isReading: isReadingAll, readMore } = useAllJournals(mock, isAll);
  // Without an account, requests that reached none may be all that there is.
  const journal = source || NO_ACCOUNT;
  const known = log.readingOf(journal);
  const state = value === 'account' ? accounts.state : 'open';
  const isUnread = known === 'not asked' || known === 'loading';
  const isLoading = state === 'loading' || (isAll ? isReadingAll : isUnread);
  const isFailed = !isAll && known === 'failed';
  return {
    ...{ value, onValue: chosen.onValue, source, journal, isLoading, isFailed },
    readMore: isAll && !isReadingAll ? readMore : undefined,
    isLoaded: !isFailed && !isLoading && state !== 'gone',
    all: log.list(source),
    /** How many requests made room for these, except among all. */
    missing: isAll ? 0 : log.stateOf(journal).missing,
    owners: () => (isAll ? log.owners : [source]),
  };
}

interface ChoiceProps {
  readonly mock: Mock;
  readonly lane: Lane;
}

export function LaneChoice({ mock: { log, accounts }, lane: { value, onValue } }: ChoiceProps) {
  const countOf = (of: string) => (log.readingOf(of) === 'loaded' ? log.list(of).length : '');
  const options: Option[] = [
    ['account', `This account ${countOf(accounts.account?.id ?? '')}`],
    [NO_ACCOUNT, `Wrong path or token ${countOf(NO_ACCOUNT)}`, 'Requests that reached no account'],
    ['all', 'All', 'Of the listed accounts, and of no account'],
  ];
  return <Segments label="Requests of" {...{ options, value, onValue }} />;
}
