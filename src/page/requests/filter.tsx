import type { ComponentChildren } from 'preact';
import type { StreamedRequest } from '../connection/follow-requests.js';
import { useOperationIds } from '../reference/use-operation-ids.js';

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
  const operations = useOperationIds().map((id): Option => [id, id]);
  return (
    <search class="bar">
      <Select
        label="Operation"
        value={filter.operationId}
        options={operations}
        onChoose={(operationId) => change({ operationId })}
      />
      <Select
        label="Status"
        value={filter.status}
        options={Object.entries(STATUSES)}
        onChoose={(status) => change({ status })}
      />
      <Search label="Path" value={filter.path} onType={(path) => change({ path })} />
      <Search label="Text" value={filter.text} onType={(text) => change({ text })} />
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

type Option = readonly [value: string, words: string];

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

function Select({ label, value, options, onChoose }: SelectProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">any</option>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
}

function Search({ label, value, onType }: SearchProps) {
  return (
    <label>
      {label}{' '}
      <input
        type="search"
        size={14}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}
