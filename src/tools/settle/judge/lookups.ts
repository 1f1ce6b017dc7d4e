import { variantsOf } from '../seen/name-variants.js';
import type { Known } from './known.js';
import { extremeOf, recordsSeen } from './known-records.js';
import type { Table } from './table.js';
import { type Seen, viewOf } from './views.js';

/** Asks the model for the same customers, over those that were seen. */
export async function lookups({ own, model, ask }: Known) {
  const asked = await Promise.all(
    (['getCustomer', 'getCustomerByName'] as const).map((operationId) => {
      const samples = own.filter(
        ({ request, view }) => request.operationId === operationId && view.kind !== 'lost',
      );
      return ask({
        parts:
          operationId === 'getCustomer'
            ? { 'customer-id-matches': ['records'] }
            : { 'name-matches': ['records'], 'duplicate-name': ['records'] },
        ...{ samples, kindOf: caseOf },
        predict: (hypothesis) =>
          Promise.all(
            samples.map(async ({ request }) => {
              const response = await model.read(hypothesis, { ...request, token: 'given' });
              return response && viewOf({ request, response });
            }),
          ),
      });
    }),
  );
  const more: Readonly<Record<string, Partial<Table>>> = {
    'name-matches': {
      needs: 2,
      doubt: () =>
        !isVaried(own) &&
        'No customer was looked up by name in every way that tells the values apart.',
    },
    'duplicate-name': { doubt: (value) => value === 'oldest' && whyNotOldest(own) },
  };
  return asked.flat().map(([id, table]) => [id, { ...table, ...more[id] }] as const);
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
function caseOf({ request: { path } }: Seen): string {
  const [text = ''] = Object.values(path);
  return text === text.toLowerCase() ? 'lower' : text === text.toUpperCase() ? 'upper' : 'mixed';
}

/** Why the customer that was chosen of two with one name may be chosen by another field. */
function whyNotOldest(own: Known['own']): string | undefined {
  const customers = recordsSeen(own, 'getCustomer');
  for (const one of recordsSeen(own, 'getCustomerByName')) {
    const others = customers.filter(({ id, name }) => name === one.name && id !== one.id);
    const rival = others.length > 0 && extremeOf(one, others, ['createdAt']);
    if (rival) return `The service may choose it by ${rival} as well.`;
  }
  return undefined;
}
