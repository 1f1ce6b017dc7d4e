/** A figure, as text with its unit, and the bound that it must keep. */
export interface Figure {
  name: string;
  value: string;
  /** Left out if the figure is only for information. */
  bound?: string;
  isWithin?: boolean;
}

/** Creates a figure; without `isWithin`, its bound is only for information. */
export function figure(name: string, value: unknown, bound?: string, isWithin?: boolean): Figure {
  const judged = isWithin === undefined ? {} : { isWithin };
  return { name, value: String(value), ...(bound !== undefined && { bound }), ...judged };
}

/** A long list, such as surviving mutants, or findings with the seed that repeats them. */
export interface Listing {
  title: string;
  columns: string[];
  rows: string[][];
}

/** What one command found. */
export interface Result {
  /** The name of the npm script: `soak`. */
  name: string;
  /** The command to type: `npm run soak -- --minutes 60`. */
  command: string;
  /** What the command does, in one paragraph. */
  description: string;
  seed?: string;
  figures: Figure[];
  /** Known failures, and what the figures do not show. */
  limits: string[];
  listings: Listing[];
}

/** When and on what a command was run. */
export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
}
