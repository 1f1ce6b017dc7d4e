/** One figure: as text with its unit, beside the bound that it has to keep. */
export interface Figure {
  name: string;
  value: string;
  /** Without a bound the figure is there to be read. */
  bound?: string;
  isWithin?: boolean;
}

/** A figure, beside its bound if one is named; without a verdict the bound is there to be read, too. */
export function figure(name: string, value: unknown, bound?: string, isWithin?: boolean): Figure {
  const judged = isWithin === undefined ? {} : { isWithin };
  return { name, value: String(value), ...(bound !== undefined && { bound }), ...judged };
}

/** A long list: survivors of mutants with their reasons, findings with the seed that repeats them. */
export interface Listing {
  title: string;
  columns: string[];
  rows: string[][];
}

/** What one command found. */
export interface Result {
  /** The name of the npm script: `soak`. */
  name: string;
  /** What was run, as a reader types it: `npm run soak -- --minutes 60`. */
  command: string;
  /** What is done, in one paragraph. */
  description: string;
  seed?: string;
  figures: Figure[];
  /** What is known to fail, and what these figures do not show. */
  limits: string[];
  listings: Listing[];
}

/** When and on what a command was run. */
export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
}
