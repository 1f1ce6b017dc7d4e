import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/controls.js';
import { count, endOf } from '../parts/format.js';
import { hrefOf } from '../parts/route.js';
import { type Column, Table } from '../parts/table.js';
import { type AnyRecord, type Collection, textOf } from './collections.js';
import { useNames } from './use-records.js';

interface TableProps {
  readonly account: string;
  readonly collection: Collection;
  readonly records: readonly AnyRecord[];
  /** How records differ from the dataset, by id. */
  readonly marks: ReadonlyMap<string, string>;
  /** Whether there are records that are not shown. */
  readonly hasMore: boolean;
  readonly opened: string | undefined;
  readonly onOpen: (id: string, isMove: boolean) => void;
  /** Restores a record that was deleted or removed. */
  readonly onRestore: (record: AnyRecord) => void;
}

export function RecordTable(props: TableProps) {
  const { account, collection, records, marks, hasMore, opened, onOpen, onRestore } = props;
  const [order, setOrder] = useState<Order>();
  const customers = records.flatMap(({ customerId }) =>
    typeof customerId === 'string' ? [customerId] : [],
  );
  const nameOf = useNames(account, [...new Set(customers)]);
  const columnOf = (column: string): Column<AnyRecord> => {
    const direction = order?.column === column ? order.direction : 'none';
    const next = direction === 'ascending' ? 'descending' : 'ascending';
    const className = column === 'value' ? 'number' : column === 'id' ? 'id' : '';
    const heading = (
      <th key={column} scope="col" class={className} aria-sort={direction}>
        <Button class="link" onClick={() => setOrder({ column, direction: next })}>
          {HEADINGS[column] ?? column}
        </Button>
      </th>
    );
    const cells: Readonly<Record<string, (record: AnyRecord) => ComponentChildren>> = {
      id: idOf,
      name: (record) => (textOf(record.name) === '' ? idOf(record) : memberOf(record.name)),
      customerId: customerOf,
    };
    return [heading, cells[column] ?? ((record) => memberOf(record[column])), className];
  };
  const idOf = ({ id }: AnyRecord) => <code title={id}>{endOf(id)}</code>;
  const memberOf = (member: unknown) => (
    <span title={textOf(member)}>{shortOf(textOf(member))}</span>
  );
  const customerOf = ({ customerId }: AnyRecord) =>
    typeof customerId === 'string' && (
      <a href={hrefOf('records', account, 'customers', customerId)} title={customerId}>
        {nameOf(customerId)}
      </a>
    );
  const isGone = ({ id, deletedAt }: AnyRecord) =>
    deletedAt !== undefined || marks.get(id) === 'removed';
  const markOf = (record: AnyRecord) => {
    const mark = marks.get(record.id);
    const words = isGone(record) && mark !== 'removed' ? 'deleted' : mark;
    return (
      words !== undefined && (
        <>
          <span class="chip warn">{words}</span>{' '}
          {isGone(record) && (
            <Button class="link restore" onClick={() => onRestore(record)}>
              Restore<span class="hidden"> {record.id}</span>
            </Button>
          )}
        </>
      )
    );
  };
  return (
    <>
      {order && hasMore && (
        <p class="note">
          Only the {count(records.length, 'record')} shown are sorted by {order.column}; the
          collection has more.
        </p>
      )}
      <Table
        class={`records ${collection.path}`}
        caption={<caption class="hidden">{collection.title}</caption>}
        columns={collection.columns.map(columnOf)}
        rows={order ? records.toSorted(by(order)) : records}
        keyOf={({ id }) => id}
        classOf={(record) => (isGone(record) ? 'deleted' : '')}
        opening={{
          // Both are visible however narrow the table is.
          column: collection.columns.indexOf(collection.columns.includes('name') ? 'name' : 'id'),
          beside: markOf,
          opened,
          onOpen: ({ id }, isMove) => onOpen(id, isMove),
        }}
      />
    </>
  );
}

const HEADINGS: Readonly<Record<string, string>> = { customerId: 'customer', meterId: 'meter' };

/** Shortens an instant to what fits in a cell. */
function shortOf(text: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.:]+Z$/.exec(text) ?? [];
  return day === undefined ? text : `${day} ${minute}`.replace(' 00:00', '');
}

interface Order {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

function by({ column, direction }: Order) {
  const sign = direction === 'ascending' ? 1 : -1;
  return (one: AnyRecord, other: AnyRecord) => {
    const [first, second] = [one[column], other[column]];
    const difference =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : textOf(first).localeCompare(textOf(second));
    return sign * difference;
  };
}
