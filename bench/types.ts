// What the files of the benchmark hand to each other.

export interface Records {
  customers: Customer[];
  contracts: object[];
  measurements: object[];
  events: UsageEvent[];
}

/** Of a record, the members that a measure or a limit reads; our own records have them all. */
export interface Customer {
  id: string;
  name: string;
}

export interface UsageEvent {
  ref: string;
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

export interface ReceivedResponse {
  status: number;
  text: string;
  body: Body | undefined;
}

/** The members that are looked at in a response, whichever server gave it. */
export interface Body extends Fields {
  customer?: Fields;
  measurements?: object[];
  nextCursor?: string;
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
  deletedNothing(response: ReceivedResponse): boolean;
}
