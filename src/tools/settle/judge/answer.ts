import type { DecisionId, OpenApiDocument } from '#spec';
import { isOfAccount, type Sample } from '../seen/samples.js';
import { deletions } from './deletions.js';
import { fields } from './fields.js';
import { knownOf } from './known.js';
import { oddListings, pages } from './listings.js';
import { lookups } from './lookups.js';
import { refusals, withWalls } from './refusals.js';
import { conclude, type Found, joined } from './table.js';
import { seenIn } from './views.js';

/** Makes out which value of each decision explains the samples. */
export async function answerAll(
  samples: readonly Sample[],
  document: OpenApiDocument,
): Promise<ReadonlyMap<DecisionId, Found>> {
  const all = withWalls(seenIn(samples));
  const known = knownOf(all.filter(isOfAccount));
  const asked = [];
  for (const ask of [oddListings, pages, lookups, deletions]) asked.push(...(await ask(known)));
  const tables = joined([...asked, ...refusals(all), ...fields({ samples, document })]);
  return new Map([...tables].map(([id, table]) => [id, conclude(id, table)]));
}
