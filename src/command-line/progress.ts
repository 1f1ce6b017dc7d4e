import { nameOf } from '../matrix/alternatives.js';
import { endInWords } from '../matrix/report.js';
import type { MatrixRun } from '../matrix/run-matrix.js';

/** Shows how far a matrix has come. */
export interface Progress {
  readonly show: (done: number, all: number, run?: MatrixRun) => void;
  /** Removes the bar, so that the report can follow. */
  readonly clear: () => void;
}

const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** A bar on a terminal; elsewhere a plain line for each run. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) {
    return {
      show: (done, all, run) => run && stream.write(`${lineOf(done, all, run)}\n`),
      clear: () => {},
    };
  }
  return {
    show(done, all, run) {
      const filled = Math.round((BAR_WIDTH * done) / all);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${done}/${all}`;
      const failed = run?.differs ? `${CLEAR_LINE}${lineOf(done, all, run)}\n` : '';
      stream.write(`${failed}${CLEAR_LINE}${bar}`);
    },
    clear: () => stream.write(CLEAR_LINE),
  };
}

function lineOf(done: number, all: number, run: MatrixRun): string {
  return `${String(done).padStart(String(all).length)}/${all} ${nameOf(run)} ${endInWords(run)}`;
}
