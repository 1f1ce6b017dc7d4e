// The types that the files of the benchmark share.

export interface Records {
  customers: Customer[];
  contracts: object[];
  measurements: object[];
  events: UsageEvent[];
}

/** The members of a record that a measure or a limit reads. */
export interface Customer {
  id: string;
  name: string;
}

export interface UsageEvent {
  ref: string;
}

/** Opens a mock that answers requests in process. */
export type Open = (records: Records, dataset: string) => Promise<Fetch>;
export type Fetch = (request: Request) => Promise<Response>;

export interface Question {
  method: string;
  path: string;
  body?: string;
}

/** A request with the token of its account. */
export interface Asked extends Question {
  token: string;
}

export interface ReceivedResponse {
  status: number;
  text: string;
  body: Body | undefined;
}

/** The members of a response that are read, whichever server sent it. */
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

/** An operation under load; `OPERATIONS` explains its members. */
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
