import { pointerTo } from '../../errors/json-pointer.js';
import { isOfAccount } from '../account-calls.js';
import { recordsOf, successPlaceOf } from '../documented-members.js';
import { describeCall, describeExchange } from '../evidence.js';
import { successBody } from '../exchange.js';
import type { Observer } from '../observation.js';
import { unlistedIn, walk } from '../places.js';

/** How many members of one exchange are evidence: a service may name them by data. */
const MOST_MEMBERS = 100;

/** Looks for members that the document does not list (section 2). */
export const undocumentedFields: Observer<'undocumented-fields'> = {
  wanted: 'a record',
  observe: (seen) => {
    const { exchanges, document } = seen;
    const extra = exchanges.filter(isOfAccount).flatMap((exchange) => {
      const unlisted = new Set<string>();
      const place = successPlaceOf(exchange.call.operationId, document);
      walk(place, successBody(exchange), (described) => {
        for (const name of unlistedIn(described).slice(0, MOST_MEMBERS - unlisted.size)) {
          unlisted.add(`${described.place.pointer}${pointerTo(name)}`);
        }
      });
      return [...unlisted].map((pointer) =>
        describeExchange(exchange, `${shownPointer(pointer)} is not in the document`),
      );
    });
    if (extra.length > 0) return extra.map((evidence) => ({ explainedBy: ['extra'], evidence }));
    const records = recordsOf(seen);
    const [first] = records;
    if (first === undefined) return [];
    const told = `${records.length} records have only members of the document`;
    return [{ explainedBy: ['none'], evidence: `${describeCall(first.exchange.call)}: ${told}` }];
  },
};

/** The name of a member may be data, such as an e-mail address. */
function shownPointer(pointer: string): string {
  return /^[\w*/-]{1,100}$/.test(pointer) ? pointer : 'a member';
}
