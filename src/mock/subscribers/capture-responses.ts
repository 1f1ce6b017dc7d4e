import type { Follower } from '../accounts/journal/journal.js';
import { noteOfResponse } from '../accounts/journal/note-body.js';
import type { NotedRequest, NotedResponse } from '../accounts/journal/noted-request.js';
import type { Subscriber } from '../service/exchange.js';
import type { Platform } from '../service/platform.js';
import { bytesOf, joined, pairsOf, type ServiceResponse } from '../service/request-and-response.js';
import { isLost } from '../service/respond.js';

/** Longer response bodies are never kept. */
const MAX_CAPTURED_BODY_BYTES = 2 ** 20;

/** The longest body to keep among the latest responses when no follower asks for bodies. */
const MAX_RECENT_BODY_BYTES = 16 * 1024;

/**
 * Keeps responses in the journal: all of them while a follower asks for bodies, otherwise only the
 * latest `maxRecent` short ones.
 */
export function captureResponses(
  followers: Iterable<Pick<Follower, 'wantsResponses'>>,
  maxRecent = 0,
): Subscriber {
  const recent: NotedRequest[] = [];
  let next = 0;
  const keepRecent = (noted: NotedRequest, response: () => NotedResponse) => {
    const oldest = recent[next];
    if (oldest) oldest.recentResponse = undefined;
    noted.recentResponse = response;
    recent[next] = noted;
    next = (next + 1) % maxRecent;
  };
  return {
    onEnd({ journal, noted, response, platform }) {
      if (!noted || !response || isLost(response.delivery)) return;
      const isWanted = [...followers].some(({ wantsResponses }) => wantsResponses);
      if (isWanted) journal?.noteResponse(noted, noting(response, platform.sha256)());
      else if (maxRecent > 0 && (noted.responseBytes ?? 0) <= MAX_RECENT_BODY_BYTES)
        keepRecent(noted, noting(response, platform.sha256));
    },
  };
}

/** Returns a function that describes the response, and that keeps no exchange in memory. */
function noting({ headers, body, delivery }: ServiceResponse, sha256: Platform['sha256']) {
  return (): NotedResponse => {
    const headerLines = pairsOf(headers).flat().join('\n');
    const bytes = delivery?.pieces ? joined(delivery.pieces) : bytesOf(body);
    if (bytes.length > MAX_CAPTURED_BODY_BYTES) return { headerLines, bytes: bytes.length };
    return { headerLines, bytes: bytes.length, ...noteOfResponse(bytes, sha256) };
  };
}
