import { NO_ACCOUNT } from '../connection/call.js';
import { MAX_REQUESTS } from '../connection/request-log.js';
import type { Mock } from '../connection/use-mock.js';
import { Button } from '../parts/controls.js';
import { count, formatNumber } from '../parts/format.js';
import { FirstRequest } from './first-request.js';
import type { Lane } from './lane.js';

interface NotesProps {
  readonly mock: Mock;
  readonly lane: Lane;
}

/** Says below the list why requests are missing from it, or why it is empty. */
export function ListNotes({ mock, lane, hasRows }: NotesProps & { readonly hasRows: boolean }) {
  const isEmpty = lane.all.length === 0 && !hasRows;
  return (
    <>
      {lane.isLoading && lane.all.length === 0 && <p class="empty">Loading…</p>}
      {lane.isFailed && (
        <p class="empty">
          The requests cannot be loaded: {mock.log.stateOf(lane.journal).error}{' '}
          <Button onClick={() => mock.read(lane.journal)}>Try again</Button>
        </p>
      )}
      {lane.isLoaded && <Missing {...{ mock, lane }} />}
      {lane.isLoaded && isEmpty && <WhyEmpty {...{ mock, lane }} />}
    </>
  );
}

function Missing({ mock: { log, accounts }, lane }: NotesProps) {
  const { missing, readMore } = lane;
  const received = accounts.shown.reduce((sum, { requests }) => sum + requests, 0);
  const isOfShown = (one?: string) => accounts.shown.some(({ id }) => id === one);
  const listed = lane.all.filter(({ account }) => isOfShown(account)).length;
  const isWhole = received <= listed || !(log.isIncomplete || readMore);
  if (lane.value === 'all' ? isWhole : missing === 0) return null;
  return (
    <p class="note">
      {lane.value === 'all'
        ? `${formatNumber(listed)} of the ${count(received, 'request')} of the listed accounts are listed.`
        : `${count(missing, 'earlier request')} ${missing === 1 ? 'is' : 'are'} no longer listed.`}{' '}
      The mock keeps the latest of each account (<code>--journal-size</code>), and this page{' '}
      {formatNumber(MAX_REQUESTS)}. {readMore && <Button onClick={readMore}>Load more</Button>}
    </p>
  );
}

function WhyEmpty({ mock: { accounts }, lane }: NotesProps) {
  const { account, state } = accounts;
  if (state === 'none') return <FirstRequest />;
  if (account && lane.value === NO_ACCOUNT)
    return <p class="empty">No request had a wrong path or token.</p>;
  if (!account || lane.value !== 'account') return null;
  return (
    <p class="empty">
      {account.requests > 0
        ? 'The mock no longer keeps the requests of this account.'
        : 'This account has received no request since it was opened or reset.'}
    </p>
  );
}
