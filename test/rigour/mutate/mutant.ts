/** One change of the code that a test should notice. */
export interface Mutant {
  /** Its number in the whole; 0 is the code as it is. */
  readonly id: number;
  /** Such as `src/billing/duration.ts`. */
  readonly file: string;
  readonly line: number;
  /** The text that is replaced, and what stands there instead. */
  readonly before: string;
  readonly after: string;
  /** The line that it begins on, trimmed: tells apart what has the same text. */
  readonly code: string;
  /** Which it is of those of its file whose line and texts are all the same; the first is 1. */
  readonly nth: number;
}

/** A replacement of one node of the tree, before it has a number. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly after: string;
  readonly kind: 'expression' | 'block';
}

/** What happened to a mutant. */
export interface Verdict {
  readonly mutant: Mutant;
  readonly fate: 'killed' | 'timed out' | 'survived' | 'not reached';
  /** The test that noticed it. */
  readonly by?: string;
  readonly durationMs: number;
  /** Whether no test had noticed it when it was first tried. */
  readonly wasMissed?: boolean;
}

export function isNoticed({ fate }: Pick<Verdict, 'fate'>): boolean {
  return fate === 'killed' || fate === 'timed out';
}

/** What knows a mutant by its text instead of its line number, so that code may move. */
export function textOf({ file, code, before, after }: Omit<Mutant, 'id' | 'line' | 'nth'>): string {
  return JSON.stringify([file, code, before, after]);
}
