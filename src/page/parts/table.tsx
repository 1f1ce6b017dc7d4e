import type { ComponentChildren, TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.js';

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
  /** Makes rows open on a click anywhere, and with a button in one column for the keyboard. */
  readonly opening?: Opening<Row>;
}

/**
 * Passes j and k to the table wherever the focus is; the up and down arrows, only from a search
 * field, or if nothing in the view has the focus. The caller excludes keys that are typed into fields.
 */
export function moveFromAnywhere(event: KeyboardEvent): void {
  const target = event.target as Element;
  const isOfTable =
    /^[jk]$/.test(event.key) ||
    (/^Arrow(?:Up|Down)$/.test(event.key) && target.matches('body, main, [type="search"]'));
  const stop = document.querySelector<HTMLElement>('main .opens button.open[tabindex="0"]');
  if (!isOfTable || !stop || target.closest('.opens tbody')) return;
  event.preventDefault();
  stop.focus();
  // With a row open, move on from there; otherwise the focus is enough.
  if (stop.closest('.opened'))
    stop.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true }));
}

interface Opening<Row> {
  /** The index of the column whose cells are buttons. */
  readonly column: number;
  readonly beside?: (row: Row) => ComponentChildren;
  /** The key of the open row. */
  readonly opened: string | undefined;
  /** `isMove` is true if a key such as j has moved to the row, false if the row was clicked. */
  readonly onOpen: (row: Row, isMove: boolean) => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** A table of rows; a heading that is not a string is itself a `th`. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, classOf, opening, ...table } = props;
  const [focused, setFocused] = useState<string>();
  const keys = rows.map(keyOf);
  // The Tab key stops at the table once; the arrow keys move within it.
  const stop = [focused, opening?.opened].find((key) => key && keys.includes(key)) ?? keys[0];
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
    // Clicks on links and buttons have their own effect, and selected text may be meant for
    // copying.
    const isOther = (event.target as Element).closest('a, button') || String(getSelection());
    if (isOther) return;
    event.currentTarget.querySelector<HTMLElement>('button.open')?.focus();
    opening?.onOpen(row, false);
  };
  const rowOf = (row: Row, index: number) => {
    const key = keys[index] ?? '';
    const isOpened = key === opening?.opened;
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
