import { isOwnListing, type Page, pagesOf, readPage } from '../seen/pages.js';
import { isRefusal, parameterOf, type Sample, type Seen } from '../seen/samples.js';
import { type Observer, tell } from './observer.js';

/** A request with a cursor, and the cursor's age at that time. */
interface Use {
  readonly sample: Sample;
  readonly ageMs: number;
}

/**
 * Compares the ages at which cursors were accepted and refused (section 4.4). They narrow the
 * lifetime down, but never show its exact value.
 */
export const cursorLifetime: Observer<'cursor-lifetime'> = {
  wanted: 'a cursor that was sent at other times after it was issued',
  whyNeverAsked: 'Waiting until a cursor expires takes longer than a run.',
  observe: (seen) => {
    const [accepted = [], refused = []] = [acceptedUsesOf(seen), refusedUsesOf(seen)].map((uses) =>
      uses.filter(({ ageMs }) => !Number.isNaN(ageMs)),
    );
    const explainedBy = lifetimesOf(
      accepted.reduce((most, { ageMs }) => Math.max(most, ageMs), 0),
      refused.reduce((least, { ageMs }) => Math.min(least, ageMs), Number.POSITIVE_INFINITY),
    );
    return (refused.length > 0 ? refused : accepted).map(({ sample, ageMs }) =>
      tell(sample, `the cursor was issued ${Math.floor(ageMs / 1000)} s before`, ...explainedBy),
    );
  },
};

/** Lifetimes between the oldest cursor accepted and the youngest refused. */
function lifetimesOf(acceptedMs: number, refusedMs: number): readonly string[] {
  if (refusedMs === Number.POSITIVE_INFINITY) return ['unlimited', '15m'];
  if (acceptedMs >= refusedMs) return [];
  // Two possible lifetimes: a single one would settle the decision.
  return [`${Math.floor(acceptedMs / 1000)}s`, `${Math.floor(refusedMs / 1000) + 1}s`];
}

function acceptedUsesOf(seen: Seen): readonly Use[] {
  return pagesOf(seen).flatMap(({ sample, previous }) =>
    previous ? { sample, ageMs: sample.sentAtMs - previous.sample.sentAtMs } : [],
  );
}

/** Refused requests that differ only in the cursor from the request that issued it. */
function refusedUsesOf(seen: Seen): readonly Use[] {
  const issuers = new Map<unknown, Page>();
  const uses: Use[] = [];
  for (const sample of seen.samples.filter(isOwnListing)) {
    const page = readPage(sample);
    if (page) issuers.set(page.nextCursor, page);
    const cursor = parameterOf(sample, 'cursor');
    const issuer = issuers.get(cursor);
    if (!cursor || !issuer || !isRefusal(sample) || !hasSameQuery(sample, issuer)) continue;
    uses.push({ sample, ageMs: sample.sentAtMs - issuer.sample.sentAtMs });
  }
  return uses;
}

/** A service may refuse a cursor that is sent with another limit. */
function hasSameQuery(sample: Sample, issuer: Page): boolean {
  const [own, other] = [sample, issuer.sample].map(({ request }) =>
    JSON.stringify(request.query.filter(([name]) => name !== 'cursor').sort()),
  );
  return own === other;
}
