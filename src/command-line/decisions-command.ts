import type { Command } from 'commander';
import { LEDGER_ROWS, type LedgerRow, meaningOf } from '../core/decisions/ledger.js';
import {
  DEFAULT_STATE,
  type DecisionState,
  switchDecisions,
} from '../core/decisions/switch-decisions.js';
import { completeOptions } from '../host/options/complete-options.js';
import { addFlags, optionsOf } from '../host/terminal/flags-and-variables.js';
import { wrap, wrapBeside } from '../host/terminal/wrap-text.js';

export function addDecisions(program: Command): void {
  const command = program
    .command('decisions')
    .allowExcessArguments(false)
    .description(
      'print every decision and its values. * marks the default; with --decide or --decisions, > marks the value in force',
    )
    .option('--json', 'print a JSON array')
    .action(({ json }: { readonly json?: true }) => {
      const { decisions } = completeOptions(optionsOf(command, ['decide', 'decisions']));
      const state = switchDecisions(DEFAULT_STATE, decisions);
      const isGiven = Object.keys(decisions).length > 0;
      process.stdout.write(json ? asJson(state) : forPeople(isGiven ? state : undefined));
    });
  addFlags(command, ['decide', 'decisions']);
}

/** Marks the values in force only if a state is given. */
function forPeople(state: DecisionState | undefined): string {
  const blocks = LEDGER_ROWS.map(([id, row]) => {
    const inForce = state && String(state.inForce[id]);
    const seen = state?.seen[id];
    const scope = row.isServerWide ? ', for the whole server' : '';
    const where = seen ? `seen on ${seen.host} at ${seen.at}` : 'decided here';
    const source = state ? `, ${where}` : '';
    return [
      ...wrapBeside(`${id} `, `(section ${row.section}${scope}${source})`),
      ...wrap(row.question, 2),
      ...linesOfValues(row, inForce),
      ...(seen?.evidence ?? []).flatMap((line, nth) =>
        wrapBeside(nth === 0 ? '  Seen: ' : '        ', line),
      ),
      '',
    ].join('\n');
  });
  return [...(state ? ['> in force, * by default\n'] : []), ...blocks].join('\n');
}

/** A value in force that the ledger does not list comes last. */
function linesOfValues(row: LedgerRow, inForce: string | undefined): string[] {
  const values = new Set([...Object.keys(row.values), ...(inForce === undefined ? [] : [inForce])]);
  const width = Math.max(...[...values].map((value) => value.length));
  return [...values].flatMap((value) => {
    const marks = `${value === inForce ? '>' : ' '}${value === String(row.default) ? '*' : ' '}`;
    return wrapBeside(` ${marks} ${value.padEnd(width)}  `, meaningOf(row, value));
  });
}

function asJson({ inForce, seen }: DecisionState): string {
  const rows = LEDGER_ROWS.map(([id, row]) => ({
    id,
    section: row.section,
    question: row.question,
    default: row.default,
    values: Object.entries(row.values).map(([value, meaning]) => ({ value, meaning })),
    isServerWide: row.isServerWide ?? false,
    inForce: inForce[id],
    ...(seen[id] && { seen: seen[id] }),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}
