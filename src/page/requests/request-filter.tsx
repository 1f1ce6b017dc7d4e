import { useMemo, useState } from 'preact/hooks';
import { type StreamedRequest, targetOf } from '../connection/request-log.js';
import { Choice, OPERATIONS, type Option, SearchField } from '../parts/controls.js';
import { useAddressed } from '../parts/route.js';
import type { Entered } from '../parts/use-kept.js';
import { CLASSES } from './request-table.js';

export type Filter = Readonly<Record<'operationId' | 'status' | 'text', Entered<string>>>;

const STATUSES: readonly Option[] = [
  ['', 'any status'],
  ...Object.entries(CLASSES).map(([first, [, words]]): Option => [first, `${first}xx ${words}`]),
  ['none', 'no response'],
];

export function useFilter(): Filter {
  return {
    operationId: useAddressed('operation'),
    status: useAddressed('status'),
    text: useAddressed('text'),
  };
}

/** On narrow screens, the fields are folded until they are asked for, or filter something. */
const NARROW = '(max-width: 560px)';

export function FilterFields({ operationId, status, text }: Filter) {
  const isFiltering = [operationId, status, text].some(({ value }) => value !== '');
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="filter"
      open={isOpen || isFiltering || !matchMedia(NARROW).matches}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Filter</summary>
      <Choice
        label=""
        aria-label="Operation"
        options={[['', 'any operation'], ...OPERATIONS]}
        {...operationId}
      />
      <Choice label="" aria-label="Status" options={STATUSES} {...status} />
      <SearchField label="Search" {...text} />
    </details>
  );
}

export function emptyFilter(filter: Filter): void {
  for (const { onValue } of Object.values(filter)) onValue('');
}

/** Those of the requests that pass the filter. */
export function usePassing(filter: Filter, requests: readonly StreamedRequest[]) {
  const values = Object.values(filter).map(({ value }) => value);
  return useMemo(
    () => requests.filter((request) => passes(filter, request)),
    [requests, ...values],
  );
}

function passes({ operationId, status, text }: Filter, request: StreamedRequest): boolean {
  const first = request.status === undefined ? 'none' : String(request.status)[0];
  const searched = text.value.toLowerCase();
  return (
    (operationId.value === '' || request.operationId === operationId.value) &&
    (status.value === '' || first === status.value) &&
    (searched === '' ||
      (targetOf(request) + JSON.stringify(request)).toLowerCase().includes(searched))
  );
}
