import type { ComponentChildren, VNode } from 'preact';

/** The heading of a column, what its cells are, and the class of all of them. */
export type Column<Row> = readonly [
  heading: string | VNode,
  cell: (row: Row) => ComponentChildren,
  className?: string,
];

interface TableProps<Row> {
  readonly class?: string;
  readonly caption: VNode;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly classOf?: (row: Row) => string;
}

/** Rows of one kind; a heading that is no text is a `th` itself. */
export function Table<Row>({ caption, columns, rows, keyOf, classOf, ...table }: TableProps<Row>) {
  const headings = columns.map(([heading, , className], index) =>
    typeof heading !== 'string' ? (
      heading
    ) : (
      <th key={index} scope="col" class={className}>
        {heading}
      </th>
    ),
  );
  return (
    <table {...table}>
      {caption}
      <thead>
        <tr>{headings}</tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} class={classOf?.(row)}>
            {columns.map(([, cell, className], column) => (
              <td key={column} class={className}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
