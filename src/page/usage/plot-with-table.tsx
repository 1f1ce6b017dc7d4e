import { useMemo } from 'preact/hooks';
import { count } from '../parts/count.js';
import { formatNumber } from './format-number.js';
import { Plot } from './plot.js';

interface PlotProps {
  readonly title: string;
  /** What the rows are. */
  readonly column: string;
  readonly rows: readonly (readonly [key: string, value: number])[];
  readonly textOf?: (key: string) => string;
}

const unchanged = (key: string) => key;

/** A plot, and the table behind it. */
export function PlotWithTable({ title, column, rows, textOf = unchanged }: PlotProps) {
  const values = useMemo(() => rows.map(([, value]) => value), [rows]);
  const keys = useMemo(() => rows.map(([key]) => textOf(key)), [rows, textOf]);
  return (
    <section class="panel wide">
      <h3 class="wrap">{title}</h3>
      <Plot title={title} labels={keys} values={values} />
      <details>
        <summary>Table of {count(rows.length, 'value')}</summary>
        <table>
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([key, value]) => (
              <tr key={key}>
                <td>{textOf(key)}</td>
                <td class="number">{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
