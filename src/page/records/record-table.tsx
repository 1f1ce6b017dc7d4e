import { useState } from 'preact/hooks';
import { Button } from '../parts/controls.js';
import { type Column, Table } from '../parts/table.js';
import { count } from '../parts/texts.js';
import { type AnyRecord, type Collection, textOf } from './collections.js';

interface TableProps {
  readonly collection: Collection;
  readonly records: readonly AnyRecord[];
  /** What has happened to records, by their ids. */
  readonly marks: ReadonlyMap<string, string>;
  /** Whether records are not shown. */
  readonly hasMore: boolean;
  readonly opened: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Records, a row each, in the order of a column. */
export function RecordTable(props: TableProps) {
  const { collection, records, marks, hasMore, opened, onOpen } = props;
  const [order, setOrder] = useState<Order>();
  const columnOf = (column: string): Column<AnyRecord> => {
    const direction = order?.column === column ? order.direction : 'none';
    const next = direction === 'ascending' ? 'descending' : 'ascending';
    const heading = (
      <th key={column} scope="col" aria-sort={direction}>
        <Button class="link" onClick={() => setOrder({ column, direction: next })}>
          {column}
        </Button>
      </th>
    );
    return [heading, column === 'id' ? idOf : (record) => memberOf(record[column])];
  };
  const memberOf = (member: unknown) => <span title={textOf(member)}>{textOf(member)}</span>;
  // What happened to a record stands beside its id, which is seen however narrow the table is.
  const idOf = ({ id, deletedAt }: AnyRecord) => {
    const mark = deletedAt === undefined ? marks.get(id) : 'deleted';
    return (
      <>
        <Button class="link" title={id} onClick={() => onOpen(id)}>
          {id}
        </Button>{' '}
        {mark !== undefined && <span class="mark">{mark}</span>}
      </>
    );
  };
  return (
    <>
      {order && hasMore && (
        <p class="note">
          Sorted by {order.column} are the {count(records.length, 'record')} shown, of more that the
          collection has.
        </p>
      )}
      <Table
        class="records"
        caption={<caption class="hidden">{collection.title}</caption>}
        columns={collection.columns.map(columnOf)}
        rows={order ? records.toSorted(by(order)) : records}
        keyOf={({ id }) => id}
        classOf={({ id, deletedAt }) =>
          [id === opened && 'opened', deletedAt !== undefined && 'deleted']
            .filter(Boolean)
            .join(' ')
        }
      />
    </>
  );
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
