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
  const { collection, records, hasMore, opened } = props;
  const [order, setOrder] = useState<Order>();
  const sorted = order ? records.toSorted(by(order)) : records;
  const sort = (column: string) =>
    setOrder({ column, isDown: order?.column === column && !order.isDown });
  const columns = collection.columns.map(
    (column): Column<AnyRecord> => ({
      title: (
        <Button class="link" onClick={() => sort(column)}>
          {column}
        </Button>
      ),
      heading: { 'aria-sort': directionOf(order, column) },
      cell: (record) => <Cell {...props} column={column} record={record} />,
      attributes: (record) => ({ title: textOf(record[column]) }),
    }),
  );
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
        columns={columns}
        rows={sorted}
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
  readonly isDown: boolean;
}

function directionOf(order: Order | undefined, column: string) {
  if (order?.column !== column) return 'none';
  return order.isDown ? 'descending' : 'ascending';
}

interface CellProps extends Pick<TableProps, 'marks' | 'onOpen'> {
  readonly column: string;
  readonly record: AnyRecord;
}

/** What happened to a record stands beside its id, which is seen however narrow the table is. */
function Cell({ column, record, marks, onOpen }: CellProps) {
  const { id, deletedAt } = record;
  const isDeleted = deletedAt !== undefined;
  if (column !== 'id')
    return <span class={isDeleted ? 'struck' : ''}>{textOf(record[column])}</span>;
  const mark = isDeleted ? 'deleted' : marks.get(id);
  return (
    <>
      <Button class={isDeleted ? 'link struck' : 'link'} onClick={() => onOpen(id)}>
        {id}
      </Button>{' '}
      {mark !== undefined && <span class="mark">{mark}</span>}
    </>
  );
}

function by({ column, isDown }: Order) {
  return (one: AnyRecord, other: AnyRecord) => {
    const [first, second] = [one[column], other[column]];
    const difference =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : textOf(first).localeCompare(textOf(second));
    return isDown ? -difference : difference;
  };
}
