import { pointerTo } from '../../../core/values/json-value.js';
import { count } from '../../../core/values/plural.js';
import { describeRequest, describeSample } from '../seen/evidence.js';
import { isOfAccount, type Sample, successBody } from '../seen/samples.js';
import { recordsOf, successPlaceOf, unlistedIn, walk } from './documented-members.js';
import type { Observation, SeenData } from './observation.js';

/** The most members of one sample to report: a service may use data as names. */
const MAX_MEMBERS = 100;

/** Looks for members that the document does not list (section 2). */
export function undocumentedFields(seen: SeenData): readonly Observation[] {
  const extra = seen.samples.filter(isOfAccount).flatMap((sample) =>
    unlistedPointersIn(sample, seen).map((pointer) => {
      // The name of a member may be data, such as an e-mail address.
      const shown = /^[\w*/-]{1,100}$/.test(pointer) ? pointer : 'a member';
      const evidence = describeSample(sample, `${shown} is not in the document`);
      return { explainedBy: ['extra'], evidence, samples: [sample] };
    }),
  );
  if (extra.length > 0) return extra;
  const records = recordsOf(seen);
  const [first] = records;
  if (first === undefined) return [];
  const told = `${count(records.length, 'record')} with only members in the document`;
  return [
    {
      explainedBy: ['none'],
      evidence: `${describeRequest(first.sample.request)}: ${told}`,
      samples: records.map(({ sample }) => sample),
    },
  ];
}

function unlistedPointersIn(sample: Sample, { document }: SeenData): readonly string[] {
  const unlisted = new Set<string>();
  const place = successPlaceOf(sample.request.operationId, document);
  const body = successBody(sample) ?? {};
  walk(place, body, (described) => {
    for (const name of unlistedIn(described).slice(0, MAX_MEMBERS - unlisted.size)) {
      unlisted.add(`${described.place.pointer}${pointerTo(name)}`);
    }
  });
  return [...unlisted];
}
