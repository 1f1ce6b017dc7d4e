import { useState } from 'preact/hooks';
import { NO_ACCOUNT } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import type { Mock } from '../connection/use-mock.js';
import { Button } from '../parts/controls.js';
import { count } from '../parts/texts.js';
import { EVERYTHING, type Filter, FilterForm, passes } from './filter.js';
import { FirstRequest } from './first-request.js';
import { RequestDetail } from './request-detail.js';
import { RequestTable } from './request-table.js';

/** How many rows are drawn until more are asked for. */
const ROWS = 100;

/** The requests as they come, the newest first, and one of them opened. */
export function RequestsView({ mock }: { readonly mock: Mock }) {
  const { log, accounts } = mock;
  const { account } = accounts;
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const [rows, setRows] = useState(ROWS);
  const [paused, setPaused] = useState<readonly StreamedRequest[]>();
  const [opened, setOpened] = useState<StreamedRequest>();
  const all = log.list(filter.isOfAll ? undefined : [...(account ? [account.id] : []), NO_ACCOUNT]);
  const passing = (paused ?? all).filter((request) => passes(filter, request));
  const isEmpty = all.length + passing.length === 0 && mock.connection !== 'connecting';
  const nameOf = (id: string | undefined) =>
    id === undefined ? 'no account' : accounts.nameOf(id);
  return (
    <>
      <h2 class="hidden">Requests</h2>
      <FilterForm filter={filter} onFilter={setFilter}>
        <Button
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : all)}
        >
          Pause
        </Button>
      </FilterForm>
      {log.dropped > 0 && (
        <p class="note">
          {count(log.dropped, 'request')} came too fast to follow. The journal of the account is
          read again when they slow down.
        </p>
      )}
      <div class={opened ? 'split' : ''}>
        <div>
          {passing.length > 0 && (
            <RequestTable
              requests={passing.slice(0, rows)}
              opened={opened}
              onOpen={setOpened}
              nameOf={filter.isOfAll ? nameOf : undefined}
            />
          )}
          {all.length > 0 && passing.length === 0 && (
            <p class="empty">No request matches the filter.</p>
          )}
          {isEmpty && !account && <FirstRequest />}
          {isEmpty && account && <p class="empty">This account has not received a request yet.</p>}
          {passing.length > rows && (
            <Button onClick={() => setRows(rows + ROWS)}>Show more of {passing.length}</Button>
          )}
        </div>
        {opened && (
          <RequestDetail
            key={`${opened.account} ${opened.id}`}
            request={opened}
            name={nameOf(opened.account)}
            onClose={() => setOpened(undefined)}
          />
        )}
      </div>
    </>
  );
}
