import { call } from './call.js';

/** A page of a collection. */
export interface Page<Item> {
  readonly records: readonly Item[];
  readonly nextCursor?: string;
  /** How many records were searched, if a text was. */
  readonly searched?: number;
}

/** Which page is meant. */
export interface PageQuery {
  readonly limit: number;
  /** Where it begins; empty for the first. */
  readonly cursor: string | undefined;
  /** What its records contain; empty for anything. */
  readonly text?: string;
}

/** Reads a page of a collection of an account. */
export function readPage<Item>(
  account: string,
  path: string,
  { limit, cursor, text }: PageQuery,
  signal?: AbortSignal,
): Promise<Page<Item>> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor && { cursor }),
    ...(text && { text }),
  });
  return call<Page<Item>>(`/${path}?${query}`, { account, ...(signal && { signal }) });
}
