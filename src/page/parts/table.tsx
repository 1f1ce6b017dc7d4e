import type { ComponentChildren, ComponentProps } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Attributes of its heading, and of its cells. */
  readonly heading?: ComponentProps<'th'>;
  readonly attributes?: (row: Row) => ComponentProps<'td'>;
}

interface TableProps<Row> {
  readonly class?: string;
  readonly caption: ComponentChildren;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly classOf?: (row: Row) => string;
}

/** Rows of one kind under the headings of their columns. */
export function Table<Row>({ caption, columns, rows, keyOf, classOf, ...table }: TableProps<Row>) {
  return (
    <table {...table}>
      {caption}
      <thead>
        <tr>
          {columns.map(({ title, heading }, index) => (
            <th key={index} scope="col" {...heading}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} class={classOf?.(row)}>
            {columns.map(({ cell, attributes }, index) => (
              <td key={index} {...attributes?.(row)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
