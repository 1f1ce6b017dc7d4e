import { useMemo } from 'preact/hooks';
import type { ViewProps } from '../behaviour/use-behaviour.js';
import { NO_ACCOUNT } from '../connection/call.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { clockTime, formatNumber } from '../parts/format.js';
import { go } from '../parts/route.js';
import type { Lane } from './lane.js';
import { ListNotes } from './list-notes.js';
import { emptyFilter } from './request-filter.js';
import { RequestTable } from './request-table.js';
import type { ShownRequests } from './use-shown-requests.js';

interface ListProps extends Omit<ViewProps, 'route'> {
  readonly lane: Lane;
  readonly shown: ShownRequests;
  /** The account in the address. */
  readonly owner: string;
  /** The opened request; undefined if there is none that the page has seen. */
  readonly request: StreamedRequest | undefined;
}

export function RequestList(props: ListProps) {
  const { mock, behaviour, lane, shown } = props;
  const { passing, rows, newer, cleared } = shown;
  return (
    <div>
      {newer > 0 && (
        <Button class="newer" onClick={() => scrollTo(0, 0)}>
          Show {newer} newer
        </Button>
      )}
      <ShownTable {...props} />
      {shown.isFilteredOut && (
        <p class="empty">
          No request matches the filter.{' '}
          <Button onClick={() => emptyFilter(shown.filter)}>Show all</Button>
        </p>
      )}
      {passing.length > rows && (
        <Button onClick={shown.showMore}>Show more of {formatNumber(passing.length)}</Button>
      )}
      {cleared > 0 && (
        <Button onClick={shown.showCleared}>Show {formatNumber(cleared)} earlier</Button>
      )}
      {lane.value === 'account' && <BeforeRestart {...{ mock, behaviour, rows }} />}
      <ListNotes {...{ mock, lane }} hasRows={passing.length > 0} />
    </div>
  );
}

function ShownTable({ mock: { accounts }, behaviour, lane, shown, owner, request }: ListProps) {
  const { passing, rows, isScrolled } = shown;
  const open = (one: StreamedRequest, isMove: boolean) =>
    go(['requests', one.account ?? NO_ACCOUNT, addressOf(one)], { replaces: isMove });
  const nameOf = ({ account: of }: StreamedRequest) => accounts.nameOf(of);
  return useMemo(
    () =>
      passing.length > 0 && (
        <RequestTable
          requests={passing.slice(0, rows)}
          opened={request && `${owner} ${request.id}`}
          onOpen={open}
          nameOf={lane.value === 'all' ? nameOf : undefined}
          behaviour={behaviour}
        />
      ),
    // At the top, always redraw, to update how long ago each request was.
    [passing, rows, owner, request?.id, lane.value, isScrolled || Date.now()],
  );
}

interface BeforeRestartProps extends Omit<ViewProps, 'route'> {
  readonly rows: number;
}

/** What the page still knows of the account in view before the mock restarted. */
function BeforeRestart({ mock: { log, accounts }, behaviour, rows }: BeforeRestartProps) {
  const before = accounts.beforeRestart;
  const earlier = before === undefined ? [] : log.list(before);
  if (!accounts.restart || earlier.length === 0) return null;
  return (
    <>
      <p class="note" role="status">
        The mock restarted at {clockTime(accounts.restart.at)}. It no longer has the requests below.
      </p>
      <RequestTable
        requests={earlier.slice(0, rows)}
        opened={undefined}
        onOpen={undefined}
        nameOf={undefined}
        behaviour={behaviour}
      />
    </>
  );
}
