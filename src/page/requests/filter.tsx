import type { ComponentChildren } from 'preact';
import type { StreamedRequest } from '../connection/request-log.js';
import { Check, Choice, type Option, TextField } from '../parts/controls.js';
import { useOperations } from '../reference/document.js';

/** Lets every request of the account pass, and those that reached none. */
export const EVERYTHING = {
  operationId: '',
  status: '',
  path: '',
  text: '',
  /** True for the requests of every account. */
  isOfAll: false,
};

/** Which requests are shown. */
export type Filter = Readonly<typeof EVERYTHING>;

const ANY: Option = ['', 'any'];
const STATUSES: readonly Option[] = [
  ANY,
  ['2', '2xx success'],
  ['4', '4xx refused'],
  ['5', '5xx failed'],
  ['none', 'no answer'],
];

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
  const operations = useOperations();
  const search = { type: 'search', size: 14 } as const;
  const entered = <Name extends keyof Filter>(name: Name) => ({
    value: filter[name],
    onValue: (value: Filter[Name]) => onFilter({ ...filter, [name]: value }),
  });
  return (
    <search class="bar">
      <Choice label="Operation" options={[ANY, ...operations]} {...entered('operationId')} />
      <Choice label="Status" options={STATUSES} {...entered('status')} />
      <TextField label="Path" {...search} {...entered('path')} />
      <TextField label="Text" {...search} {...entered('text')} />
      <Check label="All accounts" {...entered('isOfAll')} />
      {children}
    </search>
  );
}
