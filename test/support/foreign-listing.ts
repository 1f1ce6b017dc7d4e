/** How a listing other than the mock's differs from the plainest one. */
export interface ForeignListing {
  readonly records?: readonly object[];
  /** The highest number of records on a page. */
  readonly mostRecords?: number;
  readonly total?: (all: number, page: number) => unknown;
  readonly hasMore?: (isFollowed: boolean, page: number) => unknown;
  readonly lastCursor?: unknown;
  /** Returns a response other than a page. */
  readonly refuse?: (query: URLSearchParams, offset: number | undefined) => Response | undefined;
  /** The limit for a value of the parameter. */
  readonly limitOf?: (text: string | null) => number;
}

/** An error in a common form. */
export function refusal(status: number): Response {
  return Response.json({ statusCode: status, message: 'Bad Request' }, { status });
}

/** Refuses, with this status, what the specification does not allow. */
export function strictly(status: number): NonNullable<ForeignListing['refuse']> {
  return (query, offset) => {
    const isKnown = [...query].every(
      ([name, value]) => ['limit', 'cursor'].includes(name) && value !== '',
    );
    const limit = Number(query.get('limit') ?? 10);
    const isInBounds = Number.isInteger(limit) && limit >= 1 && limit <= 1000;
    return isKnown && isInBounds && offset !== undefined ? undefined : refusal(status);
  };
}

/** `count` records whose ids, dates and timestamps are in three different orders. */
export function recordsOf(count: number): readonly { readonly id: string }[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `m-${String((at * 7) % count).padStart(5, '0')}`,
    usageDate: { year: 2024, month: 1 + (at % 12), day: 1 + (at % 28) },
    createdAt: new Date(1_700_000_000_000 + ((at * 11) % count) * 1_000).toISOString(),
  }));
}

/** Answers `GET /measurements` as such a service, with offsets as cursors. */
export function foreignListing({
  records = recordsOf(25),
  mostRecords = 1000,
  total = (all) => all,
  hasMore = (isFollowed) => isFollowed,
  lastCursor,
  refuse = strictly(400),
  limitOf = (text) => Number(text ?? 10),
}: ForeignListing = {}): (path: string) => Promise<Response> {
  return async (path) => {
    const query = new URL(path, 'http://foreign').searchParams;
    const cursor = query.get('cursor') ?? '';
    const offset =
      cursor === '' ? 0 : /^at-\d+$/.test(cursor) ? Number(cursor.slice(3)) : undefined;
    const refused = refuse(query, offset);
    if (refused) return refused;
    const start = offset ?? 0;
    const page = records.slice(start, start + Math.min(limitOf(query.get('limit')), mostRecords));
    const end = start + page.length;
    const isFollowed = end < records.length;
    const more = hasMore(isFollowed, page.length);
    return Response.json({
      measurements: page,
      total: total(records.length, page.length),
      hasMore: more,
      ...(more === true ? { nextCursor: `at-${end}` } : { nextCursor: lastCursor }),
    });
  };
}
