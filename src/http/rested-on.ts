import type { Response } from 'express';
import type { DecisionId, Decisions } from '../billing/decisions.js';
import { exchangeOf } from './exchange.js';

/** The header field that names the decisions an answer rested on. */
const DECISIONS_FIELD = 'Decisions';

/** The decisions, with a note of each that is read: it is read in one place, where it acts. */
export function noteReads(decisions: Decisions, read: Set<DecisionId>): Decisions {
  return new Proxy(decisions, {
    get(target, id) {
      if (Object.hasOwn(target, id)) read.add(id as DecisionId);
      return Reflect.get(target, id);
    },
  });
}

/** Names in a header field the decisions that were read for this answer, if they were noted. */
export function nameDecisions(response: Response): void {
  const { account, restedOn } = exchangeOf(response);
  if (!account || !restedOn) return;
  const { inForce } = account.decisions;
  response.setHeader(DECISIONS_FIELD, [...restedOn].map((id) => `${id}=${inForce[id]}`).join(', '));
}
