import type { OpenApiDocument } from '#spec';
import type { Value } from '../judge.js';
import type { Sample } from '../seen/samples.js';

/** The account's samples, and the document to compare them with. */
export interface SeenData {
  readonly samples: readonly Sample[];
  readonly document: OpenApiDocument;
}

/** What samples show of the data that a service has. */
export interface Observation {
  /** The values that explain what was seen: none if no value fits. */
  readonly explainedBy: readonly Value[];
  /** What was seen, in one line without personal data. */
  readonly evidence: string;
  readonly samples: readonly Sample[];
  /** Why a single explaining value still does not settle the decision, as a clause. */
  readonly open?: string | undefined;
}
