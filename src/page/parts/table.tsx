import type { ComponentChildren, TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.js';

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
  /** Opens a row: the whole of it is a target for the pointer, and a column has a button for the keyboard. */
  readonly opening?: Opening<Row>;
}

/** Leads the keys that move from row to row to the table, from wherever the focus is. */
export function moveFromAnywhere(event: KeyboardEvent): void {
  const target = event.target as Element;
  const isOfTable =
    /^[jk]$/.test(event.key) ||
    (/^Arrow(?:Up|Down)$/.test(event.key) && target.matches('body, [type="search"]'));
  const stop = document.querySelector<HTMLElement>('main .opens button.open[tabindex="0"]');
  if (!isOfTable || !stop || target.closest('.opens tbody')) return;
  event.preventDefault();
  stop.focus();
  // Beside an open row it goes on from there; the first row is reached without a step.
  if (stop.closest('.opened'))
    stop.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true }));
}

interface Opening<Row> {
  /** The number of the column whose cells are the buttons. */
  readonly column: number;
  /** What stands beside the button. */
  readonly beside?: (row: Row) => ComponentChildren;
  /** The keys of the rows that are opened. */
  readonly opened: string | readonly string[] | undefined;
  /** `isMove` if another row was opened before it, and the arrow keys moved on to this one. */
  readonly onOpen: (row: Row, isMove: boolean) => void;
}

/** How far a key moves from row to row. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Rows of one kind; a heading that is no text is a `th` itself. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, classOf, opening, ...table } = props;
  const [focused, setFocused] = useState<string>();
  const keys = rows.map(keyOf);
  // The table is one stop of the Tab key; the arrow keys move within it.
  const opened = [opening?.opened ?? []].flat();
  const stop = [focused, ...opened].find((key) => key && keys.includes(key)) ?? keys[0];
  const move = (event: TargetedEvent<HTMLElement, KeyboardEvent>) => {
    const step = STEPS[event.key];
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button.open')];
    const from = buttons.indexOf(document.activeElement as HTMLElement);
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (!opening || step === undefined || from < 0 || isShortcut) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(buttons.length - 1, from + step));
    buttons[to]?.focus();
    const row = rows[to];
    if (row && to !== from && opening.opened !== undefined) opening.onOpen(row, true);
  };
  const openByPointer = (row: Row) => (event: TargetedEvent<HTMLElement, MouseEvent>) => {
    // A link leads elsewhere, and who has selected a text wants to copy it.
    const isOther = (event.target as Element).closest('a, button') || String(getSelection());
    if (isOther) return;
    event.currentTarget.querySelector<HTMLElement>('button.open')?.focus();
    opening?.onOpen(row, false);
  };
  const rowOf = (row: Row, index: number) => {
    const key = keys[index] ?? '';
    const isOpened = opened.includes(key);
    return (
      <tr
        key={key}
        class={`${classOf?.(row) ?? ''} ${isOpened ? 'opened' : ''}`.trim()}
        aria-current={isOpened || undefined}
        {...(opening && { onClick: openByPointer(row), onFocusIn: () => setFocused(key) })}
      >
        {columns.map(([, cell, className], column) => (
          <td key={column} class={className}>
            {opening?.column === column ? (
              <Button
                class="link open"
                tabIndex={key === stop ? 0 : -1}
                onClick={() => opening.onOpen(row, false)}
              >
                {cell(row)}
              </Button>
            ) : (
              cell(row)
            )}
            {opening?.column === column && opening.beside?.(row)}
          </td>
        ))}
      </tr>
    );
  };
  return (
    <table {...table} class={`${table.class ?? ''} ${opening ? 'opens' : ''}`.trim()}>
      {caption}
      <thead>
        <tr>
          {columns.map(([heading, , className], index) =>
            typeof heading !== 'string' ? (
              heading
            ) : (
              <th key={index} scope="col" class={className}>
                {heading}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody onKeyDown={move}>{rows.map(rowOf)}</tbody>
    </table>
  );
}
