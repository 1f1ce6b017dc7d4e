import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import { useLoaded } from '../parts/use-loaded.js';

type Changes = components['schemas']['Changes'];

/** More changes than this are not marked. */
const MOST_MARKED = 10_000;

/** What has happened to the records of a collection since the account was opened, by their ids. */
export function useChanges(account: string, collection: string, version: string) {
  const key = `${account} ${collection} ${version}`;
  const { value } = useLoaded(() => readChanges(account, collection), key, undefined, true);
  return { marks: value?.marks ?? new Map<string, string>(), total: value?.total ?? 0 };
}

async function readChanges(account: string, collection: string) {
  const marks = new Map<string, string>();
  for (let cursor: string | undefined = ''; ; ) {
    const query = new URLSearchParams({ collection, ...(cursor && { cursor }) });
    const page: Changes = await call<Changes>(`/changes?${query}`, { account });
    for (const { id, change } of page.changes) marks.set(id, change);
    cursor = page.nextCursor;
    if (cursor === undefined || marks.size >= MOST_MARKED) return { marks, total: page.total };
  }
}
