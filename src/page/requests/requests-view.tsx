import { useState } from 'preact/hooks';
import { NO_ACCOUNT } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import type { Mock } from '../connection/use-mock.js';
import { Button, Check, Choice, type Option, TextField } from '../parts/controls.js';
import { count } from '../parts/texts.js';
import { useOperations } from '../reference/document.js';
import { FirstRequest } from './first-request.js';
import { RequestDetail } from './request-detail.js';
import { RequestTable } from './request-table.js';

/** How many rows are drawn until more are asked for. */
const ROWS = 100;

/** Lets every request of the account pass, and those that reached none. */
const EVERYTHING = {
  operationId: '',
  status: '',
  path: '',
  text: '',
  /** True for the requests of every account. */
  isOfAll: false,
};

/** Which requests are shown. */
type Filter = Readonly<typeof EVERYTHING>;

const ANY: Option = ['', 'any'];
const STATUSES: readonly Option[] = [
  ANY,
  ['2', '2xx success'],
  ['4', '4xx refused'],
  ['5', '5xx failed'],
  ['none', 'no answer'],
];

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
  const search = { type: 'search', size: 14 } as const;
  const operations = useOperations();
  const entered = <Name extends keyof Filter>(name: Name) => ({
    value: filter[name],
    onValue: (value: Filter[Name]) => setFilter({ ...filter, [name]: value }),
  });
  const nameOf = (request: StreamedRequest) => accounts.nameOf(request.account);
  return (
    <>
      <h2 class="hidden">Requests</h2>
      <search class="bar">
        <Choice label="Operation" options={[ANY, ...operations]} {...entered('operationId')} />
        <Choice label="Status" options={STATUSES} {...entered('status')} />
        <TextField label="Path" {...search} {...entered('path')} />
        <TextField label="Text" {...search} {...entered('text')} />
        <Check label="All accounts" {...entered('isOfAll')} />
        <Button
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : all)}
        >
          Pause
        </Button>
      </search>
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
            name={nameOf(opened)}
            onClose={() => setOpened(undefined)}
          />
        )}
      </div>
    </>
  );
}

/** Whether a request passes the filter. */
function passes(filter: Filter, request: StreamedRequest): boolean {
  const { operationId, status, path, text } = filter;
  const first = request.status === undefined ? 'none' : String(request.status)[0];
  return (
    (operationId === '' || request.operationId === operationId) &&
    (status === '' || first === status) &&
    (path === '' || request.path.includes(path)) &&
    (text === '' || JSON.stringify(request).toLowerCase().includes(text.toLowerCase()))
  );
}
