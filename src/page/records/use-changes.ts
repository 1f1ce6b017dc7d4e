import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import { useLoaded } from '../parts/use-loaded.js';

type Changes = components['schemas']['Changes'];

/** What has happened to records since the account was opened, by collection. */
export function useChanges(account: string, version: string) {
  const load = () => call<Changes>('/changes?limit=1000', { account });
  const { value } = useLoaded(load, `${account} ${version}`);
  return {
    of: (collection: string): ReadonlyMap<string, string> =>
      new Map(
        (value?.changes ?? [])
          .filter((one) => one.collection === collection)
          .map(({ id, change }) => [id, change]),
      ),
  };
}
