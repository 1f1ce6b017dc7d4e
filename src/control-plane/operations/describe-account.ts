import { sizesOf } from '../../accounts/account.js';
import type { ControlContext } from './control-operation.js';

/** What the account is at this moment, whatever changes while its records are hashed. */
export async function describeAccount({ account, run }: ControlContext): Promise<object> {
  const described = account.store.fork();
  return {
    dataset: described.datasetFingerprint,
    fingerprint: await run(described.fingerprinting()),
    ...sizesOf(described),
  };
}
