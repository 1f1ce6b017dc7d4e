import { LEDGER, type LedgerRow } from '../decisions/ledger.js';

const ROWS = Object.entries<LedgerRow>(LEDGER);

/** The ledger of decisions for people: each with its section, its question and its values. */
export function decisionsForPeople(): string {
  return ROWS.map(([id, row]) => {
    const scope = row.isServerWide ? ', for the whole server' : '';
    const width = Math.max(...Object.keys(row.values).map((value) => value.length));
    const values = Object.entries(row.values).map(([value, meaning]) => {
      const mark = value === String(row.default) ? '*' : ' ';
      return `  ${mark} ${value.padEnd(width)}  ${meaning}`;
    });
    return [`${id} (section ${row.section}${scope})`, `  ${row.question}`, ...values, ''].join(
      '\n',
    );
  }).join('\n');
}

/** The ledger of decisions as JSON: an array of rows. */
export function decisionsAsJson(): string {
  const rows = ROWS.map(([id, row]) => ({
    id,
    section: row.section,
    question: row.question,
    default: row.default,
    values: Object.entries(row.values).map(([value, meaning]) => ({ value, meaning })),
    isServerWide: row.isServerWide ?? false,
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}
