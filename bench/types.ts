// What the files of the benchmark hand to each other.
import type { takeCores } from './harness/cores.mjs';
import type { writeData } from './harness/data.mjs';
import type { startServer } from './harness/server.mjs';
import type { Results } from './harness/statistics.mjs';
import type { nodeOn } from './measures/in-process.mjs';

/** All that a measure works with. */
export interface Bench {
  plan: Plan;
  peers: Record<string, Peer>;
  cores: Cores;
  data: Data;
  targets: Target[];
  results: Results;
  node: ReturnType<typeof nodeOn>;
  say(text: string): void;
}

export type Cores = ReturnType<typeof takeCores>;
export type Data = Awaited<ReturnType<typeof writeData>>;
export type Server = Awaited<ReturnType<typeof startServer>>;

/** How often and how long is measured; all in seconds or times. */
export interface Amounts {
  rounds: number;
  starts: number;
  seconds: number;
  firstWarmUp: number;
  warmUp: number;
  settles(target: Target): boolean;
  inProcessWarmUp: number;
  inProcess(operation: Operation): boolean;
  firstAnswers: number;
  suite(runner: SuiteRunner): boolean;
  pacedSeconds: number;
  installs: number;
}

export interface Plan extends Amounts {
  isQuick: boolean;
  leftOut: string[];
  notLarge: string[];
}

/** What is installed of a peer, or the reason why it is not. */
interface Peer {
  versions: string[];
  reason?: string;
}

/** The figures of each round, or the reason why there are none. */
export interface Cell {
  values: number[];
  reason?: string;
  note?: string;
}

export interface Records {
  customers: Customer[];
  contracts: Contract[];
  measurements: object[];
  events: UsageEvent[];
}

/** Of a record, the members that a measure or a limit reads; our own records have them all. */
export interface Contract {
  id: string;
}

export interface Customer {
  id: string;
  name: string;
}

export interface UsageEvent {
  ref: string;
}

/** A page of our own. */
export interface MeasurementPage {
  measurements: object[];
  nextCursor?: string;
}

/** What a server is started for. */
export type Use = 'start' | 'load' | 'large';

/** What is measured over a socket; `port` is text because it is an argument of the command. */
export interface Target {
  name: string;
  kind: 'limit' | 'peer' | 'ours' | 'ceiling';
  /** Of a peer, its folder below bench/peers. */
  folder?: string;
  /** False where a deletion is seen under every token. */
  accounts?: boolean;
  /** True where it pages by cursor, and can hold a million measurements. */
  large?: boolean;
  /** The environment in which it starts as if for the first time. */
  withNothingKept?: Record<string, string>;
  command(port: string, use: Use, data: Data): string[];
  cwd?(use: Use, data: Data): string;
  first?(use: Use, data: Data): Question | undefined;
  translate?(request: Question, operation: Operation): Question;
  remark?(operation: Operation): string;
}

/** How a target is started; `command` has the arguments of node for a port. */
export interface Start {
  prefix: string[];
  command(port: number): string[];
  cwd: string;
  first: Asked;
  env: Record<string, string>;
}

/** What is measured in process: a module that exports `open`. */
export interface InProcessTarget {
  name: string;
  folder?: string;
  module: string;
}

/** A runner of tests; `args` are the arguments of node, `config` is the content of its file. */
export interface SuiteRunner {
  name: string;
  kit: 'jest' | 'vitest';
  type: 'commonjs' | 'module';
  args: string[];
  /** What is in the way of the times to reach, where something is. */
  obstacle?: string;
  config(globalSetup: string | undefined): object;
}

/** A way to mock in the suite; `setUp` is the file that its tests import. */
export interface SuiteTarget {
  name: string;
  folder?: string;
  isShared?: boolean;
  setUp(kit: SuiteRunner['kit']): string;
}

/** Opens what answers requests in process. */
export type Open = (records: Records, dataset: string) => Promise<Fetch>;
export type Fetch = (request: Request) => Promise<Response>;

export interface Question {
  method: string;
  path: string;
  body?: string;
}

/** A question of the account that the token names. */
export interface Asked extends Question {
  token: string;
}

export interface Answer {
  status: number;
  text: string;
  body: Body | undefined;
}

export interface Load {
  port: number;
  next(): string | undefined;
  seconds: number;
  connections?: number;
  /** How many requests are asked a second at most. */
  perSecond?: number;
  leastBytes?: number | undefined;
}

/** Takes what came back; says whether there is time for another request. */
export type OnAnswer = (answer: { status: number; bytes: number }, sentAt: number) => boolean;

/** The members that are looked at in an answer, whichever server gave it. */
export interface Body extends Fields {
  customer?: Fields;
  measurements?: unknown[];
  events?: unknown[];
  data?: unknown[];
}

interface Fields {
  id?: string;
  name?: string;
}

/** What is asked under load; what its members mean stands with the table of operations. */
export type Operation = Page | Lookup | Deletion;

interface Asking {
  id: string;
  title: string;
  requests(records: Records): Question[];
  mistake(body: Body | undefined): string | undefined;
  limit?: number;
  deletes?: boolean;
}

interface Page extends Asking {
  limit: number;
  deletes?: never;
  other?: never;
}

interface Lookup extends Asking {
  deletes?: never;
  other: Question;
  isConstant(body: Body | undefined): boolean;
}

interface Deletion extends Asking {
  deletes: true;
  other?: never;
  deletedNothing(answer: Answer): boolean;
}

/** A column of a table, or a row of one: its title and its measure. */
export type Titled = [title: string, measure: string];

export interface MeasureTable {
  title: string;
  columns: [main: Titled, ...others: Titled[]];
  isMoreBetter?: boolean;
  names?: string[];
}

export interface Goal extends Bound {
  title: string;
  measured(bench: Bench): { value: number | undefined; against?: string };
  obstacle: string | undefined;
}

export interface Bound {
  bound: string;
  holds(value: number): boolean;
}

declare global {
  interface Buffer<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
    /** Node has it, its types do not. */
    latin1Slice(start: number, end?: number): string;
  }
}
