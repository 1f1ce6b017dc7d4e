import type { DecisionId, OperationId } from '#spec';

/**
 * What `settle` learned about a service by asking it, or from recordings of it.
 *
 * @example
 * const report: SettleReport = await settle({ target: url, token: 'my-token' });
 * console.log(report.verdicts.filter(({ agrees }) => agrees === false));
 */
export interface SettleReport {
  /** The URL that was asked, or the host of the recordings. */
  readonly target: string;
  /**
   * When the first request was sent, as RFC 3339 in UTC; left out if recordings lack all times.
   */
  readonly startedAt?: string;
  /** How many requests were sent, or read from recordings. */
  readonly requests: number;
  /** How many of these got no useful response: failures, timeouts, error pages and the like. */
  readonly lost: number;
  /** How many recorded requests call no operation of the service. */
  readonly passedOver?: number;
  /** How many calls in recordings have each gap: nothing is concluded from what they lack. */
  readonly gaps?: Readonly<Partial<Record<RecordingGap, number>>>;
  /** Why the run ended early, or got no usable response, as a clause; otherwise left out. */
  readonly brokenOff?: string;
  /** One for each decision in `only`, or for all, in the order of `docs/decisions.md`. */
  readonly verdicts: readonly DecisionVerdict[];
  /** Responses that no value of any decision predicts; each keeps decisions open. */
  readonly unexplained: readonly UnexplainedResponse[];
  /** How successful responses violate `openapi.yaml`: the 100 most frequent violations. */
  readonly violations: readonly Violation[];
}

/** What a recording lacks of a call, or that something else responded in place of the service. */
export type RecordingGap =
  | 'no-response'
  | 'response-from-a-cache'
  | 'response-from-a-test'
  | 'no-time'
  | `no-${'request' | 'response'}-${'headers' | 'body'}`
  | `${'request' | 'response'}-body-${'in-another-file' | 'cut-off' | 'not-text'}`;

/**
 * Which value of a decision a service follows, and the evidence.
 *
 * @example
 * const verdict: DecisionVerdict | undefined = (
 *   await settle({ target: url, token: 'my-token', only: ['final-cursor'] })
 * ).verdicts[0];
 */
export interface DecisionVerdict {
  readonly decision: DecisionId;
  /**
   * `settled` if one value explains all the evidence; `none` if no value does; `undecided` if
   * several do, if the evidence is inconclusive or if a recording has none; `could-not-check` if a
   * run against a service found none.
   */
  readonly verdict: 'settled' | 'undecided' | 'none' | 'could-not-check';
  /** The value that the service follows, if the decision is settled. */
  readonly value?: string | number;
  /** What `value` is compared with: the value from the option `inForce`, or else the default. */
  readonly inForce: string | number;
  /** True if the service follows the value in force; left out if that is unknown. */
  readonly agrees?: boolean;
  /** How many responses tell its values apart, and over which time; left out if none does. */
  readonly restsOn?: string;
  /**
   * What was seen, without personal data: at most five lines, mostly what speaks against a value.
   */
  readonly evidence: readonly string[];
  /** Why the decision is not settled; left out if it is. */
  readonly reason?: string;
}

/**
 * A response that no value of any decision predicts.
 *
 * @example
 * const { unexplained } = await settle({ target: url, token: 'my-token' });
 * const [first]: readonly UnexplainedResponse[] = unexplained;
 * console.log(first?.response, first?.decisions); // GET /measurements?limit=0 -> 200
 */
export interface UnexplainedResponse {
  /** The request in its form, and the status: `GET /measurements?limit=0 -> 200`. */
  readonly response: string;
  /** How many records it has, if it is a success. */
  readonly records?: number;
  /** The decisions that it keeps open. */
  readonly decisions: readonly DecisionId[];
}

/**
 * A way in which successful responses do not match `openapi.yaml`.
 *
 * @example
 * const { violations } = await settle({ target: url, token: 'my-token' });
 * const [first]: readonly Violation[] = violations;
 */
export interface Violation {
  readonly kind: ViolationKind;
  readonly operationId: OperationId;
  /** JSON pointer into the body, with `*` for every item of a list and every name of a map. */
  readonly pointer: string;
  /** In how many places the violation was seen. */
  readonly count: number;
  /** How many places were looked at: the parents of the member, or the items of the list. */
  readonly of: number;
  readonly expected?: string;
  /** What was received, without personal data: its shape. */
  readonly example?: string;
}

export type ViolationKind = 'wrong-type' | 'wrong-format' | 'out-of-bounds' | 'missing-member';
