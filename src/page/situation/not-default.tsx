import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { type Deviation, deviationsOf } from './deviations.js';
import type { Situation } from './use-situation.js';

/** Everything about the account that is not the default, each with a button that ends it. */
export function NotDefault({ situation }: { readonly situation: Situation }) {
  const { account, facts } = situation;
  const action = useAction(situation.reload);
  const deviations = facts ? deviationsOf(facts) : [];
  if (account === undefined || deviations.length === 0) return null;
  const end = (ended: readonly Deviation[]) =>
    action.run(async () => {
      for (const one of ended) await one.end(account);
    });
  return (
    <section class="not-default" aria-label="Not the default">
      <ul>
        {deviations.map((one) => (
          <li key={one.id}>
            {one.words}{' '}
            <button type="button" aria-label={`End ${one.words}`} onClick={() => end([one])}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" disabled={action.isRunning} onClick={() => end(deviations)}>
        Back to the defaults
      </button>
      <Errors sentences={action.errors} />
    </section>
  );
}
