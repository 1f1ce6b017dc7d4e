import { type DecisionValue, LEDGER, type OperationId, operationsOf, successStatus } from '#spec';
import { memberOf } from '../../../core/values/json-value.js';
import { controlsOf, isInvalid, oddListings } from '../seen/oddities.js';
import {
  isAccepted,
  isRefusal,
  isSuccess,
  isUnseen,
  isWithoutEnvelope,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { customerSamples, madeUpSearches } from '../seen/seen-customers.js';
import { deletionsIn, isRefusedForMember } from './observe-event-deletions.js';
import { agreed, type Observation, type ObserversOf, tell } from './observer.js';

type Decisions =
  | 'success-status'
  | 'invalid-request-status'
  | 'unknown-identifier-status'
  | 'unauthorized-status'
  | 'unknown-token';

const NONE_FOUND = 'no customer was found, so the token may get this for every customer';

/** Look at statuses, and at bodies only where the status is not enough. */
export const STATUSES: ObserversOf<Decisions> = {
  /** Section 4.6. Ignores statuses that an operation returns under every value. */
  'success-status': {
    wanted: 'a call of deleteEventsByRefs that succeeds',
    observe: (seen) =>
      operationsOf(seen.document).flatMap((operation) =>
        samplesOf(seen, operation.operationId as OperationId)
          .filter((sample) => isAccepted(sample) && !isWithoutEnvelope(sample))
          .map((sample) => {
            const { status } = sample.response;
            const isExplained = (value: Success) =>
              successStatus(operation, { 'success-status': value }) === status;
            return tell(sample, undefined, ...SUCCESSES.filter(isExplained));
          })
          .filter(({ explainedBy }) => explainedBy.length < SUCCESSES.length),
      ),
  },
  /**
   * Section 7. A success counts only if no other decision allows it: for a limit that is not a
   * number, or a body without refs.
   */
  'invalid-request-status': {
    wanted: 'a refused request that is certainly invalid',
    observe: (seen) => [...observeOddListings(seen), ...observeBodies(seen)],
  },
  /** Section 7. */
  'unknown-identifier-status': {
    wanted: 'an id that does not exist',
    observe: (seen) => {
      // A service that refuses everything may not have these paths at all.
      if (!seen.samples.some(isSuccess)) return [];
      const all = customerSamples(seen);
      const madeUp = madeUpSearches(seen);
      const isOfId = ({ request }: Sample) => request.operationId === 'getCustomer';
      const tellUnknown = (sample: Sample, told?: string) => {
        // Other values may exist. A 404 shows that one does not; a 400 may be about its form.
        const observation = tellStatus(sample, told ? [404, 400] : [404], told);
        const isControlled = all.some((one) => isSuccess(one) && isOfId(one) === isOfId(sample));
        return isControlled ? observation : { ...observation, isDoubtful: true, open: NONE_FOUND };
      };
      return agreed<'unknown-identifier-status'>(
        [
          ...agreed<'unknown-identifier-status'>(
            madeUp
              .filter(isOfId)
              .map((one) => tellUnknown(one, 'asked for an id that does not exist')),
            'a different unknown id gets a different status',
          ),
          ...madeUp
            .filter((one) => !isOfId(one))
            .map((one) => tellUnknown(one, 'asked for a name that does not exist')),
          ...all
            .filter((one) => one.response.status === 404 && !madeUp.includes(one))
            .map((one) => tellUnknown(one)),
        ],
        'unknown ids and names get different statuses',
      );
    },
  },
  /** Section 7. */
  'unauthorized-status': {
    wanted: 'a call without a token',
    observe: ({ samples }) =>
      samples.filter(tellsUnauthorized).map((sample) => tellStatus(sample, [401, 403])),
  },
  /** Section 5. */
  'unknown-token': {
    wanted: 'a call with a made-up token',
    observe: ({ samples }) => {
      const withToken = (token: string) => samples.filter(({ request }) => request.token === token);
      // A service that needs no token does not check tokens.
      if (withToken('none').some(isAccepted)) return [];
      const madeUp = [...withToken('made-up'), ...withToken('alike')];
      return madeUp.flatMap((sample): Observation<'unknown-token'> | readonly [] => {
        const { measurements } = successBody(sample) ?? {};
        if (Array.isArray(measurements)) {
          if (measurements.length > 0) return tell(sample, undefined, 'open-account');
          const open = 'no measurement shows that the account has records';
          return { ...tell(sample, 'an empty listing', 'open-account'), open };
        }
        if (isUnseen(sample)) return [];
        if (isAccepted(sample)) return tell(sample, 'without measurements');
        const isRefused = [401, 403].includes(sample.response.status);
        return {
          ...tell(sample, undefined, isRefused ? 'reject' : undefined),
          isDoubtful: !isRefused,
        };
      });
    },
  },
};

/** Observes a status as a value of the decision; no value explains any other status. */
function tellStatus<const Status extends number>(
  sample: Sample,
  values: readonly Status[],
  told?: string,
) {
  return tell(
    sample,
    told,
    values.find((value) => value === sample.response.status),
  );
}

type Success = DecisionValue<'success-status'>;

const SUCCESSES = Object.keys(LEDGER['success-status'].values).map(Number) as Success[];

/** True if the service refused a missing or wrong token, or accepted a request without one. */
function tellsUnauthorized(sample: Sample): boolean {
  const { status } = sample.response;
  const { token } = sample.request;
  // Any token may have been recorded: a 403 may be about its permissions.
  if (token === 'unknown') return status === 401;
  // A refusal of the given token may be about its permissions.
  if (token === 'given') return false;
  const isNeedless = token === 'none' && isAccepted(sample);
  return isNeedless || status === 401 || status === 403 || isRefusal(sample);
}

type InvalidRequest = Observation<'invalid-request-status'>;

function observeOddListings(seen: Seen): readonly InvalidRequest[] {
  return oddListings(seen)
    .filter((odd) => {
      const { sample, oddities } = odd;
      const isTelling = isRefusal(sample) || oddities.includes('limit not a number');
      // A service that takes the cursor for an expired one does not call the request invalid.
      const isGone = [404, 410].includes(sample.response.status);
      const isExpired = isGone && oddities.includes('made-up cursor');
      // It may be something else that the service refuses.
      const isControlled = controlsOf(sample, seen).every(isSuccess);
      return isInvalid(odd) && isTelling && !isExpired && isControlled;
    })
    .map(({ sample }) => tellInvalid(sample));
}

function observeBodies(seen: Seen): readonly InvalidRequest[] {
  const deletions = deletionsIn(seen);
  const withoutRefs = samplesOf(seen, 'deleteEventsByRefs').filter(({ request: { body } }) => {
    const refs = memberOf(body, 'refs');
    return body !== undefined && !(Array.isArray(refs) && refs.length > 0);
  });
  return [
    ...withoutRefs.map((sample) => tellInvalid(sample, ': no refs')),
    ...deletions
      .filter((_, index) => isRefusedForMember(deletions, index))
      .map(({ sample }) => tellInvalid(sample, ': an unknown member')),
  ];
}

function tellInvalid(sample: Sample, sent = ''): InvalidRequest {
  return tellStatus(sample, [400, 422], `${isAccepted(sample) ? 'accepted' : 'refused'}${sent}`);
}
