/** Shows how far a command has come. */
export interface Progress {
  /** A step has ended; a line about it stays on a terminal only if it is notable. */
  readonly show: (done: number, all: number, step?: Step) => void;
  /** Removes the bar, so that the report can follow. */
  readonly clear: () => void;
}

/** What a step did, in one line. */
interface Step {
  readonly line: string;
  readonly isNotable: boolean;
}

const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** A bar on a terminal; elsewhere a plain line for each step. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) {
    return {
      show: (done, all, step) => step && stream.write(numbered(done, all, step)),
      clear: () => {},
    };
  }
  return {
    show(done, all, step) {
      const filled = all === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * done) / all);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${done}/${all}`;
      const kept = step?.isNotable ? `${CLEAR_LINE}${numbered(done, all, step)}` : '';
      stream.write(`${kept}${CLEAR_LINE}${bar}`);
    },
    clear: () => stream.write(CLEAR_LINE),
  };
}

function numbered(done: number, all: number, { line }: Step): string {
  return `${String(done).padStart(String(all).length)}/${all} ${line}\n`;
}
