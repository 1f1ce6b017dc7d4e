import { useState } from 'preact/hooks';
import { type AnyRecord, type Collection, textOf } from './collections.js';

interface TableProps {
  readonly collection: Collection;
  readonly records: readonly AnyRecord[];
  /** What has happened to records, by their ids. */
  readonly changed: ReadonlyMap<string, string>;
  readonly opened: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Records, a row each, in the order of a column. */
export function RecordTable({ collection, records, changed, opened, onOpen }: TableProps) {
  const [order, setOrder] = useState<{ column: string; isDown: boolean }>();
  const sorted = order ? records.toSorted(by(order.column, order.isDown)) : records;
  const sort = (column: string) =>
    setOrder({ column, isDown: order?.column === column && !order.isDown });
  return (
    <table class="records">
      <caption class="hidden">{collection.title}</caption>
      <thead>
        <tr>
          {collection.columns.map((column) => (
            <th
              key={column}
              scope="col"
              aria-sort={
                order?.column === column ? (order.isDown ? 'descending' : 'ascending') : 'none'
              }
            >
              <button type="button" class="link" onClick={() => sort(column)}>
                {column}
              </button>
            </th>
          ))}
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((record) => (
          <tr
            key={record.id}
            class={[record.id === opened && 'opened', record.deletedAt !== undefined && 'deleted']
              .filter(Boolean)
              .join(' ')}
          >
            {collection.columns.map((column) => (
              <td key={column} title={textOf(record[column])}>
                {column === 'id' ? (
                  <button type="button" class="link" onClick={() => onOpen(record.id)}>
                    {record.id}
                  </button>
                ) : (
                  textOf(record[column])
                )}
              </td>
            ))}
            <td>{changed.has(record.id) && <span class="mark">{changed.get(record.id)}</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
