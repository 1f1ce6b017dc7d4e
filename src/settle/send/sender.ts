import { realTimeMs } from '../../doors/real-time.js';
import type { OpenApiDocument } from '../../openapi/route-table.js';
import type { Ask } from '../probes/probe.js';
import { describeSample } from '../seen/evidence.js';
import type { Sample, SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed } from './call-failed.js';
import { createPace } from './pace.js';
import { createTransport, type OutgoingRequest } from './transport.js';
import { createWriteRequest } from './write-request.js';

const MOST_FAILURES_IN_A_ROW = 3;
const MOST_REDIRECTS = 5;
const MOST_WAITS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Creates what sends the requests of a run, to the paths of the document below a URL. */
export function createSender(
  options: CompleteServiceOptions,
  base: string,
  document: OpenApiDocument,
) {
  const samples: Sample[] = [];
  const pace = createPace(options);
  const write = createWriteRequest(options, base, document);
  const send = createSending(options, pace, samples);
  let failuresInARow = 0;
  let brokenOff: string | undefined;
  let hasResponses = false;

  function note({ consequence, message }: CallFailed): void {
    if (consequence === 'breaks-off') brokenOff = message;
    if (consequence === 'counted') failuresInARow += 1;
    if (failuresInARow < MOST_FAILURES_IN_A_ROW) return;
    brokenOff ??= `${MOST_FAILURES_IN_A_ROW} requests in a row failed, the last: ${message}`;
  }

  const ask: Ask = async (asked) => {
    if (brokenOff !== undefined) throw new CallFailed(brokenOff, 'none');
    const request: SampleRequest = { path: {}, query: [], token: 'given', ...asked };
    try {
      const sample = await send(request, write(request));
      failuresInARow = 0;
      hasResponses = true;
      return sample;
    } catch (error) {
      if (error instanceof CallFailed) note(error);
      throw error;
    }
  };

  return {
    ask,
    /** Every sample until now, those that tell nothing included. */
    samples: samples as readonly Sample[],
    requests: pace.requests,
    /** Why the run was broken off, as a clause; undefined if it was not. */
    brokenOff: () => brokenOff,
    /** Whether any response told something. */
    hasResponses: () => hasResponses,
  };
}

/** Creates what sends a request until there is a response to it, and refuses one that tells nothing. */
function createSending(
  options: CompleteServiceOptions,
  pace: ReturnType<typeof createPace>,
  samples: Sample[],
) {
  const transport = createTransport(options);
  let isTokenAccepted = false;

  async function sendUntilAccepted(
    request: SampleRequest,
    outgoing: OutgoingRequest,
  ): Promise<Sample> {
    for (let waits = 0; ; waits += 1) {
      await pace.turn();
      const sentAtMs = realTimeMs();
      const sample = { request, response: await transport(outgoing, request), sentAtMs };
      samples.push(sample);
      if (sample.response.status !== 429 || waits === MOST_WAITS) return sample;
      await pace.waitAfter(sample, waits);
    }
  }

  return async (request: SampleRequest, first: OutgoingRequest): Promise<Sample> => {
    let outgoing = first;
    let sample = await sendUntilAccepted(request, outgoing);
    for (let hops = 0; REDIRECTS.includes(sample.response.status); hops += 1) {
      const url = redirectOf(sample, outgoing);
      if (hops === MOST_REDIRECTS) throw failure(sample, 'redirected too often', 'none');
      outgoing = { ...outgoing, url };
      sample = await sendUntilAccepted(request, outgoing);
    }
    refuseUntelling(sample, isTokenAccepted);
    if (request.token === 'given') isTokenAccepted = true;
    return sample;
  };
}

/**
 * Where a response redirects to. Throws a `CallFailed` for another origin, to which no token may go,
 * and for a request that changes records: it could delete another than the named one.
 */
function redirectOf(sample: Sample, { url, method }: OutgoingRequest): string {
  const { location = '' } = sample.response.headers;
  const to = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const isSameOrigin = to?.origin === new URL(url).origin;
  if (to && isSameOrigin && to.username === '' && method === 'GET') return to.href;
  const where = isSameOrigin ? 'a redirect' : 'a redirect to another origin';
  throw failure(sample, `${where}, which is not followed`, 'none');
}

/** Throws for a response that says nothing of the request itself. */
function refuseUntelling(sample: Sample, isTokenAccepted: boolean): void {
  const { status } = sample.response;
  const isTokenRefused = sample.request.token === 'given' && [401, 403].includes(status);
  if (isTokenRefused && !isTokenAccepted) {
    throw failure(sample, 'the token was refused', 'breaks-off');
  }
  // A token may lack a permission, but a 401 means that it has expired.
  if (isTokenRefused) throw failure(sample, 'refused', status === 401 ? 'counted' : 'none');
  if (status === 429) throw failure(sample, 'too many requests', 'counted');
  if (status >= 500) throw failure(sample, undefined, 'counted');
}

function failure(
  sample: Sample,
  told: string | undefined,
  consequence: CallFailed['consequence'],
): CallFailed {
  return new CallFailed(describeSample(sample, told), consequence);
}
