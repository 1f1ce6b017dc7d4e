import { type Account, sizesOf } from '../../accounts/account.js';
import { runWithoutBlocking } from '../../accounts/run-without-blocking.js';

/** What the account is at this moment, whatever changes while its records are hashed. */
export async function describeAccount({ store }: Account): Promise<object> {
  const described = store.fork();
  return {
    dataset: described.datasetFingerprint,
    fingerprint: await runWithoutBlocking(described.fingerprinting()),
    ...sizesOf(described),
  };
}
