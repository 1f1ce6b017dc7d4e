import { expectedOf } from '../judge.js';
import { extremeOf, recordsSeen } from '../known-records.js';
import { variantsOf } from '../seen/name-variants.js';
import type { Members } from '../seen/samples.js';
import { type Seen, viewOf } from '../views.js';
import { ASKED, asQuestion } from './asked-decisions.js';
import { type Answers, doubted, type Known } from './known.js';

/** Asks the model for the same customers, over those that were seen. */
export async function askLookups({ own, model, ask }: Known): Promise<Answers> {
  const found = new Map(
    await Promise.all(
      (['getCustomer', 'getCustomerByName'] as const).map(async (operationId) => {
        const samples = own.filter(
          ({ request, view }) => request.operationId === operationId && view.kind !== 'lost',
        );
        return ask({
          ...asQuestion(ASKED[operationId]),
          ...{ samples, isWhole: true, parts: ['records'], facetOf: caseOf },
          predict: (hypothesis) =>
            Promise.all(
              samples.map(async ({ request }) => {
                const response = await model.read(hypothesis, { ...request, token: 'given' });
                return response && expectedOf(viewOf({ request, response }));
              }),
            ),
        });
      }),
    ).then((all) => all.flatMap((one) => [...one])),
  );
  return doubted(
    doubted(found, 'name-matches', !isVaried(own) && 'Not all variants of a name were asked for.'),
    'duplicate-name',
    found.get('duplicate-name')?.value === 'oldest' && whyNotOldest(own),
  );
}

/** True if a name that was found was also asked for in all variants that a service may take for it. */
function isVaried(own: Known['own']): boolean {
  const asked = own.map(({ request }) => request.path.name);
  return recordsSeen(own, 'getCustomer').some(
    ({ name }) =>
      typeof name === 'string' &&
      asked.includes(name) &&
      variantsOf(name).every((variant) => asked.includes(variant)),
  );
}

/** A name may be folded to one case, and match only if it has no letters in the other. */
function caseOf(_: unknown, { request: { path } }: Seen): string {
  const [text = ''] = Object.values(path);
  return text === text.toLowerCase() ? 'lower' : text === text.toUpperCase() ? 'upper' : 'mixed';
}

/** Why the customer that was chosen of two with one name may be chosen by another field. */
function whyNotOldest(own: Known['own']): string | undefined {
  const customers = recordsSeen(own, 'getCustomer');
  const chosen = own
    .filter(
      ({ request, view }) => request.operationId === 'getCustomerByName' && view.kind === 'ok',
    )
    .flatMap(({ view }): readonly Members[] => view.records);
  for (const one of chosen) {
    const others = customers.filter(({ id, name }) => name === one.name && id !== one.id);
    const rival = others.length > 0 && extremeOf(one, others, ['createdAt']);
    if (rival) return `It may be chosen by its ${rival}, too.`;
  }
  return undefined;
}
