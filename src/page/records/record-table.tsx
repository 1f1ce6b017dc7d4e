import { useState } from 'preact/hooks';
import { count } from '../parts/count.js';
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
export function RecordTable({ collection, records, hasMore, ...rows }: TableProps) {
  const [order, setOrder] = useState<Order>();
  const sorted = order ? records.toSorted(by(order.column, order.isDown)) : records;
  const sort = (column: string) =>
    setOrder({ column, isDown: order?.column === column && !order.isDown });
  return (
    <>
      {order && hasMore && (
        <p class="note">
          Sorted by {order.column} are the {count(records.length, 'record')} shown, of more that the
          collection has.
        </p>
      )}
      <table class="records">
        <caption class="hidden">{collection.title}</caption>
        <thead>
          <tr>
            {collection.columns.map((column) => (
              <th key={column} scope="col" aria-sort={directionOf(order, column)}>
                <button type="button" class="link" onClick={() => sort(column)}>
                  {column}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((record) => (
            <Row key={record.id} collection={collection} record={record} {...rows} />
          ))}
        </tbody>
      </table>
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

interface RowProps extends Pick<TableProps, 'collection' | 'marks' | 'opened' | 'onOpen'> {
  readonly record: AnyRecord;
}

/** A record; what happened to it stands beside its id, which is seen however narrow the table is. */
function Row({ collection, record, marks, opened, onOpen }: RowProps) {
  const { id, deletedAt } = record;
  const isDeleted = deletedAt !== undefined;
  const mark = isDeleted ? 'deleted' : marks.get(id);
  const names = [id === opened && 'opened', isDeleted && 'deleted'].filter(Boolean).join(' ');
  return (
    <tr class={names}>
      {collection.columns.map((column) => (
        <td key={column} title={textOf(record[column])}>
          {column === 'id' ? (
            <>
              <button
                type="button"
                class={isDeleted ? 'link struck' : 'link'}
                onClick={() => onOpen(id)}
              >
                {id}
              </button>{' '}
              {mark !== undefined && <span class="mark">{mark}</span>}
            </>
          ) : (
            <span class={isDeleted ? 'struck' : ''}>{textOf(record[column])}</span>
          )}
        </td>
      ))}
    </tr>
  );
}

function by(column: string, isDown: boolean) {
  return (one: AnyRecord, other: AnyRecord) => {
    const [first, second] = [one[column], other[column]];
    const difference =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : textOf(first).localeCompare(textOf(second));
    return isDown ? -difference : difference;
  };
}
