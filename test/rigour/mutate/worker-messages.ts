/** The tests of one file that are to be run; without names it is all of them. */
export interface TestFile {
  readonly file: string;
  readonly tests?: readonly string[];
}

/** What a worker is told to do: run these tests with one mutant, up to the first failure. */
export interface Order {
  /** 0 is none. */
  readonly mutant: number;
  readonly files: readonly TestFile[];
  /** Whether every test is run and what it reaches is noted. */
  readonly isRecording: boolean;
  /** How often the mutant may be reached in one test: a loop without an end reaches it more often. */
  readonly mostHits: number;
  /** How long each test took without a mutant; the limit of its time follows from it. */
  readonly durationsMs: Readonly<Record<string, number>>;
}

/** One test as it was run. */
export interface TestRun {
  /** Its names from the outermost `describe` on; '' is what happens outside of all tests. */
  readonly name: string;
  readonly durationMs: number;
  readonly error?: string;
  /** The mutants that it reached, each followed by how often. */
  readonly reached: readonly number[];
}

/** What became of one file. */
export interface FileRun {
  readonly file: string;
  readonly tests: readonly TestRun[];
}

/** What a worker says. */
export type Report =
  | { readonly kind: 'progress'; readonly test: string }
  | {
      readonly kind: 'done';
      readonly files: readonly FileRun[];
      /** How often the mutant was reached. */
      readonly hits: number;
      readonly rssBytes: number;
    };
