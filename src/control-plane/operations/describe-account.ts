import { type Account, sizesOf } from '../../accounts/account.js';
import { inSlices } from '../../accounts/in-slices.js';

/** What the account is at this moment, whatever changes while its records are hashed. */
export async function describeAccount({ store }: Account): Promise<object> {
  const described = store.fork();
  return {
    dataset: described.datasetFingerprint,
    fingerprint: await inSlices(described.fingerprinting()),
    ...sizesOf(described),
  };
}
