import type { DecisionId } from '#spec';
import type { Found } from '../judge.js';
import { isOfAccount, type Sample } from '../seen/samples.js';
import { seenIn } from '../views.js';
import { ASKED } from './asked-decisions.js';
import { askDeletions } from './deletions.js';
import { type Answers, knownOf } from './known.js';
import { askLookups } from './lookups.js';
import { askOddListings } from './odd-listings.js';
import { askPages } from './pages.js';
import { answerOfRefusals, withWalls } from './refusals.js';

const { oddListings, pages, ends, getCustomer, getCustomerByName } = ASKED;
const { deleteContract, deleteEventsByRefs } = ASKED;

/** Who asks the model, about which decisions. */
const QUESTIONS = [
  [askOddListings, oddListings],
  [askPages, { ...pages, ...ends }],
  [askLookups, { ...getCustomer, ...getCustomerByName }],
  [askDeletions, { ...deleteContract, ...deleteEventsByRefs }],
] as const;

/** Makes out which value of each of these decisions explains the samples. */
export async function answerAll(
  samples: readonly Sample[],
  decisions: readonly DecisionId[],
): Promise<Answers> {
  const all = withWalls(seenIn(samples));
  const known = knownOf(all.filter(isOfAccount));
  const answers: (readonly [DecisionId, Found])[] = [...answerOfRefusals(all)];
  for (const [ask, about] of QUESTIONS) {
    if (decisions.some((id) => Object.hasOwn(about, id))) answers.push(...(await ask(known)));
  }
  return new Map(answers);
}
