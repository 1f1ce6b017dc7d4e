import { describeExchange } from '../evidence.js';
import { type Exchange, isRefusal, parameterOf } from '../exchange.js';
import type { Observer, Seen } from '../observation.js';
import { isOwnListing, type Page, pagesOf, readPage } from '../pages.js';

/** A cursor that was used again, and how long after it was issued. */
interface Use {
  readonly exchange: Exchange;
  readonly ageMs: number;
}

/**
 * Reads when cursors that were issued were accepted and refused (section 4.4). That tells between
 * which durations the lifetime is, and never which it is.
 */
export const cursorLifetime: Observer<'cursor-lifetime'> = {
  wanted: 'a cursor that was sent at other times after it was issued',
  isNeverAsked: 'Waiting until a cursor expires takes longer than a run.',
  observe: (seen) => {
    const uses = usesOf(seen);
    const refused = uses.filter(({ exchange }) => isRefusal(exchange));
    const accepted = uses.filter(({ exchange }) => !isRefusal(exchange));
    const explainedBy = lifetimesOf(
      accepted.reduce((most, { ageMs }) => Math.max(most, ageMs), 0),
      refused.reduce((least, { ageMs }) => Math.min(least, ageMs), Number.POSITIVE_INFINITY),
    );
    return (refused.length > 0 ? refused : accepted).map(({ exchange, ageMs }) => ({
      explainedBy,
      evidence: describeExchange(
        exchange,
        `the cursor was issued ${Math.floor(ageMs / 1000)} s before`,
      ),
    }));
  },
};

/** Lifetimes that explain that cursors of these ages were accepted and refused. */
function lifetimesOf(acceptedMs: number, refusedMs: number): readonly string[] {
  if (refusedMs === Number.POSITIVE_INFINITY) return ['unlimited', '15m'];
  if (acceptedMs >= refusedMs) return [];
  // Two of those that are possible, so that none of them is taken for the one.
  return [`${Math.floor(acceptedMs / 1000)}s`, `${Math.floor(refusedMs / 1000) + 1}s`];
}

/** Every use of a cursor with the limit of the page that had it. */
function usesOf(seen: Seen): readonly Use[] {
  const accepted = pagesOf(seen).flatMap(({ exchange, previous }) =>
    previous ? [{ exchange, ageMs: exchange.sentAtMs - previous.exchange.sentAtMs }] : [],
  );
  return [...accepted, ...refusedUsesOf(seen)];
}

function refusedUsesOf(seen: Seen): readonly Use[] {
  const issuers = new Map<unknown, Page>();
  const uses: Use[] = [];
  for (const exchange of seen.exchanges.filter(isOwnListing)) {
    const page = readPage(exchange);
    if (page) issuers.set(page.nextCursor, page);
    const cursor = parameterOf(exchange, 'cursor');
    const issuer = issuers.get(cursor);
    if (!cursor || !issuer || !isRefusal(exchange) || !hasSameQuery(exchange, issuer)) continue;
    uses.push({ exchange, ageMs: exchange.sentAtMs - issuer.exchange.sentAtMs });
  }
  return uses;
}

/** True if nothing but the cursor is another: a service may refuse it with another limit. */
function hasSameQuery(exchange: Exchange, { exchange: issuer }: Page): boolean {
  const [own, other] = [exchange, issuer].map(({ call }) =>
    JSON.stringify(call.query.filter(([name]) => name !== 'cursor').sort()),
  );
  return own === other;
}
