import { type Listing, listingOf, type Page, pagesOf } from '../seen/pages.js';
import { type ObserversOf, tell } from './observer.js';

/** Look at the last pages of listings (section 4.4). */
export const LISTING_ENDS: ObserversOf<'final-cursor' | 'last-page'> = {
  'final-cursor': {
    wanted: 'the last page of a listing',
    observe: (seen) =>
      pagesOf(seen)
        .filter(({ hasMore }) => hasMore === false)
        .map(observeCursor),
  },
  'last-page': {
    wanted: 'a page that the last measurements of the listing fill, and the page after it',
    observe: (seen) => {
      const pages = pagesOf(seen);
      const listing = listingOf(pages);
      // Where several pages follow the same one, the earliest counts.
      const followers = new Map(pages.toReversed().map((page) => [page.previous, page]));
      return pages.flatMap((page) => observeEnd(page, followers.get(page), listing));
    },
  },
};

function observeCursor({ sample, nextCursor }: Page) {
  const told = 'hasMore is false, nextCursor is';
  if (nextCursor === undefined) return tell(sample, `${told} absent`, 'absent');
  if (nextCursor === '') return tell(sample, `${told} ""`, 'empty-string');
  // Cursors may encode records, so reports never show them.
  const isText = typeof nextCursor === 'string';
  return tell(sample, `${told} ${isText ? 'a cursor' : JSON.stringify(nextCursor)}`);
}

function observeEnd(page: Page, next: Page | undefined, listing: Listing) {
  const { sample, measurements, limit = 0, hasMore, offset = 0 } = page;
  const {
    leastSize,
    effectiveLimit = limit,
    isLimitKept,
    isSteady,
    isMoving,
    isEndMoving,
  } = listing;
  const isFull = measurements.length === Math.min(limit, effectiveLimit);
  // Unless limits were seen to cut pages, a page may be full by chance.
  const isShort = !isLimitKept && 'no shorter limit made a page shorter';
  const open = isShort || (isEndMoving && !isMoving && 'a page ended otherwise later') || undefined;
  // Only the page with the listing's last measurements counts.
  if (measurements.length === 0 || offset + measurements.length < leastSize) return [];
  if (hasMore === false) {
    return isFull ? { ...tell(sample, 'a full page, hasMore is false', 'exact'), open } : [];
  }
  if (hasMore !== true || next?.measurements.length !== 0 || !isSteady(next)) return [];
  const told = `a ${isFull ? 'full' : 'short'} page, hasMore is true, and an empty page follows`;
  return { ...tell(sample, told, isFull ? 'trailing-empty-page' : undefined), open };
}
