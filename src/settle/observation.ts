import type { DecisionId, DecisionValue } from '../decisions/ledger.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import type { Exchange } from './exchange.js';

/** What one exchange, or a few together, tell about a decision. */
export interface Observation<Id extends DecisionId> {
  /**
   * The values that explain what was seen: all of them if it tells nothing, none if the service does
   * what no value describes.
   */
  readonly explainedBy: readonly DecisionValue<Id>[];
  /** What was seen, in one line without personal data: `GET /measurements?limit=0 -> 400`. */
  readonly evidence: string;
}

/** Everything that was seen of a service, and the document that it is compared with. */
export interface Seen {
  /** In the sequence in which they were sent. */
  readonly exchanges: readonly Exchange[];
  readonly document: OpenApiDocument;
}

/** Reads from exchanges which value of a decision a service follows. Pure: it sends nothing. */
export interface Observer<Id extends DecisionId> {
  /** Returns an observation for whatever tells something; none for what tells nothing. */
  readonly observe: (seen: Seen) => readonly Observation<Id>[];
  /** What would tell the alternatives apart, as a noun phrase: `a customer with an alias`. */
  readonly wanted: string;
  /** True if only calls that change records tell it. */
  readonly needsWrites?: true;
  /** Why it is never asked for, where asking would do harm or take too long. */
  readonly isNeverAsked?: string;
}
