import type { Observer } from '../observation.js';
import { DEFAULT_LIMIT } from '../pages.js';
import { refusedOrAccepted } from '../refused-or-accepted.js';

/** Reads the answers to cursors that the service never issued (section 4.4). */
export const invalidCursor: Observer<'invalid-cursor'> = {
  wanted: 'a made-up cursor, sent to a listing that is not empty',
  observe: refusedOrAccepted('made-up-cursor', 'first-page', (page, { isFirst }) => {
    const isAsDescribed = isFirst(page, page.limit ?? DEFAULT_LIMIT);
    return { isAsDescribed, told: pageInWords(isAsDescribed) };
  }),
};

/** Which page it is. */
export function pageInWords(isFirst: boolean | undefined): string {
  if (isFirst === undefined) return 'a page that tells nothing';
  return isFirst ? 'the first page' : 'not the first page';
}
