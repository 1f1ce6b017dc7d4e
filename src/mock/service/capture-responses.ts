import type { Follower, Journal } from '../accounts/journal/journal.js';
import { noteOfResponse } from '../accounts/journal/note-body.js';
import type { NotedRequest, NotedResponse } from '../accounts/journal/noted-request.js';
import type { Step } from './exchange.js';
import type { Platform } from './platform.js';
import { bytesOf, pairsOf, type ServiceResponse } from './request-and-response.js';
import { isLost } from './respond.js';

/** Longer response bodies are never kept. */
const LARGEST_CAPTURED_BODY = 2 ** 20;

/** The longest body to keep among the latest responses when no follower asks for bodies. */
const LARGEST_RECENT_BODY = 16 * 1024;

/**
 * Keeps responses in the journal: all of them while a follower asks for bodies, otherwise only the
 * latest `mostRecent` short ones.
 */
export function captureResponses(
  serverJournal: Journal,
  followers: Iterable<Pick<Follower, 'wantsResponses'>>,
  mostRecent = 0,
): Step {
  const recent: NotedRequest[] = [];
  let next = 0;
  const keepRecent = (noted: NotedRequest, response: () => NotedResponse) => {
    const oldest = recent[next];
    if (oldest) oldest.recentResponse = undefined;
    noted.recentResponse = response;
    recent[next] = noted;
    next = (next + 1) % mostRecent;
  };
  return (exchange) => {
    const isWanted = [...followers].some(({ wantsResponses }) => wantsResponses);
    if (!isWanted && mostRecent === 0) return;
    exchange.endings.push(() => {
      const { account, noted, response, platform } = exchange;
      if (!noted || !response || isLost(response.delivery)) return;
      const kept = noting(response, platform.sha256);
      if (isWanted) (account?.journal ?? serverJournal).noteResponse(noted, kept());
      else if ((noted.responseBytes ?? 0) <= LARGEST_RECENT_BODY) keepRecent(noted, kept);
    });
  };
}

/** Returns a function that describes the response, and that keeps no exchange in memory. */
function noting({ headers, body, delivery }: ServiceResponse, sha256: Platform['sha256']) {
  return (): NotedResponse => {
    const headerLines = pairsOf(headers).flat().join('\n');
    const whole = bytesOf(body);
    const bytes = delivery?.kind === 'cut' ? whole.subarray(0, delivery.afterBytes) : whole;
    if (bytes.length > LARGEST_CAPTURED_BODY) return { headerLines, bytes: bytes.length };
    return { headerLines, bytes: bytes.length, ...noteOfResponse(bytes, sha256) };
  };
}
