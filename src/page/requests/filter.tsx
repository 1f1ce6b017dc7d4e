import type { ComponentChildren } from 'preact';
import type { StreamedRequest } from '../connection/follow-requests.js';

/** Which requests are shown. */
export interface Filter {
  readonly operationId: string;
  readonly status: string;
  readonly path: string;
  readonly text: string;
  /** True for the requests of every account. */
  readonly isOfAll: boolean;
}

/** Lets every request of the account pass, and those that reached none. */
export const EVERYTHING: Filter = {
  operationId: '',
  status: '',
  path: '',
  text: '',
  isOfAll: false,
};

const OPERATIONS = [
  'listMeasurements',
  'getCustomer',
  'getCustomerByName',
  'deleteContract',
  'deleteEventsByRefs',
];

const STATUSES: Readonly<Record<string, string>> = {
  2: '2xx success',
  4: '4xx refused',
  5: '5xx failed',
  none: 'no answer',
};

/** Whether a request passes the filter. */
export function passes(filter: Filter, request: StreamedRequest): boolean {
  const { operationId, status, path, text } = filter;
  const first = request.status === undefined ? 'none' : String(request.status)[0];
  return (
    (operationId === '' || request.operationId === operationId) &&
    (status === '' || first === status) &&
    (path === '' || request.path.includes(path)) &&
    (text === '' || JSON.stringify(request).toLowerCase().includes(text.toLowerCase()))
  );
}

interface FilterProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly children: ComponentChildren;
}

/** Chooses which requests are shown. */
export function FilterForm({ filter, onFilter, children }: FilterProps) {
  const change = (changes: Partial<Filter>) => onFilter({ ...filter, ...changes });
  return (
    <search class="bar">
      <label>
        Operation{' '}
        <select
          value={filter.operationId}
          onChange={({ currentTarget }) => change({ operationId: currentTarget.value })}
        >
          <option value="">any</option>
          {OPERATIONS.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        Status{' '}
        <select
          value={filter.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        >
          <option value="">any</option>
          {Object.entries(STATUSES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Path{' '}
        <input
          type="search"
          size={14}
          value={filter.path}
          onInput={({ currentTarget }) => change({ path: currentTarget.value })}
        />
      </label>
      <label>
        Text{' '}
        <input
          type="search"
          size={14}
          value={filter.text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={filter.isOfAll}
          onChange={({ currentTarget }) => change({ isOfAll: currentTarget.checked })}
        />{' '}
        All accounts
      </label>
      {children}
    </search>
  );
}
