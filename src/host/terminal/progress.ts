/** A step that has been done; on a terminal, its line stays only if it is notable. */
interface Step {
  readonly line: string;
  readonly isNotable: boolean;
}

const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** Shows how far a command has come: a bar on a terminal, and elsewhere a plain line for each step. */
export function createProgress(stream: NodeJS.WriteStream) {
  return {
    show(done: number, all: number, step?: Step): void {
      const nth = String(done).padStart(String(all).length);
      const line = step ? `${nth}/${all} ${step.line}\n` : '';
      if (!stream.isTTY) {
        stream.write(line);
        return;
      }
      const filled = all === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * done) / all);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${done}/${all}`;
      const kept = step?.isNotable ? CLEAR_LINE + line : '';
      stream.write(`${kept}${CLEAR_LINE}${bar}`);
    },
    clear(): void {
      if (stream.isTTY) stream.write(CLEAR_LINE);
    },
  };
}
