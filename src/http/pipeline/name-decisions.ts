import type { Response } from 'express';
import type { AppliedDecisions } from '../../decisions/applied-decisions.js';
import { createStep } from './exchange.js';

/** The header field that names the decisions an answer rests on. */
const DECISIONS_FIELD = 'Decisions';

/** Names in a header field the decisions that the answer rests on. */
export const nameDecisions = createStep(
  ['decisions'],
  ({ decisions }, _request, response, next) => {
    setDecisionsField(response, decisions);
    next();
  },
);

/** Sets the header field to the decisions applied until now, such as `repeat-delete=gone`. */
export function setDecisionsField(response: Response, decisions: AppliedDecisions): void {
  const { applied, inForce } = decisions;
  response.setHeader(DECISIONS_FIELD, applied.map((id) => `${id}=${inForce[id]}`).join(', '));
}
