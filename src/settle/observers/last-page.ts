import { describeExchange } from '../evidence.js';
import type { Observation, Observer } from '../observation.js';
import { leastSizeOf, type Page, pagesOf } from '../pages.js';

/** Reads the ends of listings that fill their last page (section 4.4). */
export const lastPage: Observer<'last-page'> = {
  wanted: 'a page that the last measurements of the listing fill, and what follows it',
  observe: (seen) => {
    const pages = pagesOf(seen);
    const leastSize = leastSizeOf(pages);
    // Of several that follow a page, the first.
    const followers = new Map(pages.toReversed().map((page) => [page.previous, page]));
    return pages.flatMap((page) => observeEnd(page, followers.get(page), leastSize));
  },
};

function observeEnd(
  page: Page,
  next: Page | undefined,
  leastSize: number,
): readonly Observation<'last-page'>[] {
  const { exchange, measurements, limit, hasMore, offset = 0 } = page;
  const isFull = measurements.length === limit;
  // What is empty or goes beyond the limit ends no listing in a way that the decision describes.
  if (measurements.length === 0 || offset + measurements.length < leastSize) return [];
  if (hasMore === false) {
    const evidence = describeExchange(exchange, 'a full page, hasMore is false');
    return isFull ? [{ explainedBy: ['exact'], evidence }] : [];
  }
  if (hasMore !== true || next?.measurements.length !== 0) return [];
  const size = isFull ? 'full' : 'short';
  const evidence = describeExchange(
    exchange,
    `a ${size} page, hasMore is true, and an empty page follows`,
  );
  return [{ explainedBy: isFull ? ['trailing-empty-page'] : [], evidence }];
}
