import { realTimeMs } from '../../../host/adapters/unfaked-time.js';
import type { ScriptRequest } from '../script/run.js';
import { describeRequest, describeSample } from '../seen/evidence.js';
import { singleOf } from '../seen/header-fields.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { NO_RESPONSE, type Sample, type SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed, TOKEN_REFUSED } from './call-failed.js';
import { createComposer, targetOf } from './compose-request.js';
import { createPace } from './rate-and-waits.js';
import { createTransport } from './transport.js';

const MAX_FAILURES_IN_A_ROW = 3;
const MAX_WAITS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export function createSender(options: CompleteServiceOptions, base: string) {
  const { send, samples, pace } = createSending(options, base);
  let failuresInARow = 0;
  let brokenOff: string | undefined;
  let hasResponses = false;
  const unanswered: Sample[] = [];

  function note({ consequence, message, loss }: CallFailed, request: SampleRequest): void {
    if (loss === 'unanswered') {
      unanswered.push({ request, response: NO_RESPONSE, sentAtMs: realTimeMs() });
    }
    if (consequence === 'breaks-off') brokenOff = message;
    if (consequence === 'counted') failuresInARow += 1;
    if (failuresInARow < MAX_FAILURES_IN_A_ROW) return;
    brokenOff ??= `${MAX_FAILURES_IN_A_ROW} requests in a row failed, the last: ${message}`;
  }

  /** Rejects with a `CallFailed` if there is no usable response, and when the run is over. */
  async function ask(asked: ScriptRequest): Promise<Sample> {
    if (brokenOff !== undefined) throw new CallFailed(brokenOff, 'none');
    const request: SampleRequest = { path: {}, query: [], token: 'given', ...asked };
    try {
      const sample = await send(request);
      failuresInARow = 0;
      hasResponses = true;
      return sample;
    } catch (error) {
      if (error instanceof CallFailed) note(error, request);
      throw error;
    }
  }

  return {
    ask,
    /** All samples so far, including unusable ones. */
    samples: samples as readonly Sample[],
    /** The requests that got no response at all. */
    unanswered: unanswered as readonly Sample[],
    requests: pace.requests,
    pause: pace.pause,
    /** A clause; undefined unless the run was broken off. */
    brokenOff: () => brokenOff,
    lost: () => unanswered.length + samples.filter(mayBeLost).length,
    /** True if any response was usable. */
    hasResponses: () => hasResponses,
  };
}

/**
 * Creates a function that sends a request, and waits as responses ask. It throws a `CallFailed` if it
 * gets no usable response.
 */
function createSending(options: CompleteServiceOptions, base: string) {
  const samples: Sample[] = [];
  const pace = createPace(options);
  const compose = createComposer(options, base);
  const transport = createTransport(options);
  let accepted: SampleRequest | undefined;

  /**
   * Repeats a request whose token was accepted before, if any, to tell a locked-out token from a
   * missing permission. Always throws.
   */
  async function refuseToken(sample: Sample): Promise<never> {
    if (accepted === undefined) throw failure(sample, TOKEN_REFUSED, 'breaks-off');
    const last = samples.findLast((one) => one.request.token === 'given' && !isRefusedToken(one));
    const [cause = sample] = samples.slice(samples.indexOf(last ?? sample) + 1);
    const again = await sendUntilAccepted(accepted);
    if (!isRefusedToken(again)) throw failure(sample, 'refused', 'none');
    const told = `${TOKEN_REFUSED} after ${describeRequest(cause.request)}`;
    throw failure(again, told, 'breaks-off');
  }

  async function sendUntilAccepted(request: SampleRequest, outgoing = compose(request)) {
    for (let waits = 0; ; waits += 1) {
      await pace.turn();
      const sentAtMs = realTimeMs();
      const sample = { request, response: await transport(outgoing, request), sentAtMs };
      samples.push(sample);
      if (!asksToWait(sample) || waits === MAX_WAITS) return sample;
      await pace.waitAfter(sample, waits);
    }
  }

  async function send(request: SampleRequest): Promise<Sample> {
    const outgoing = compose(request);
    const sample = await sendUntilAccepted(request, outgoing);
    if (REDIRECTS.includes(sample.response.status)) throw redirected(sample, outgoing.url);
    if (isRefusedToken(sample)) await refuseToken(sample);
    refuseInconclusive(sample);
    if (request.token === 'given') accepted ??= request;
    return sample;
  }

  return { send, samples, pace };
}

/**
 * A redirect is not followed: another server would get the token, and a write could delete a record
 * that nobody named. Tells the target that it leads to, but no path, which may have personal data.
 */
function redirected(sample: Sample, url: string): CallFailed {
  const location = singleOf(sample.response.headers.location);
  const to = location && URL.canParse(location, url) ? new URL(location, url) : undefined;
  const path = targetOf({ ...sample.request, query: [] });
  const [asked, target] = [new URL(url), to].map((one) =>
    one?.pathname.endsWith(path)
      ? `${one.origin}${one.pathname.slice(0, -path.length)}`
      : undefined,
  );
  const use =
    target === undefined || target === asked
      ? ''
      : `: use --target ${target} (target in the library)`;
  const told = `a redirect to ${to?.origin ?? 'no URL'}, which is not followed${use}`;
  return failure(sample, told, 'counted');
}

/** Ignores a 429 for a made-up or missing token: its limit may never end. */
function asksToWait({ request, response: { status, headers } }: Sample): boolean {
  if (status === 429) return request.token === 'given';
  return status === 503 && headers['retry-after'] !== undefined;
}

/** Throws for a response that says nothing about the request, such as a 429 or a 5xx. */
function refuseInconclusive(sample: Sample): void {
  const { status } = sample.response;
  if (status === 429) throw failure(sample, 'too many requests', 'counted');
  if (status >= 500 || status === 408) {
    throw new CallFailed(describeSample(sample), 'counted', 'failed');
  }
}

function isRefusedToken({ request, response }: Sample): boolean {
  return request.token === 'given' && [401, 403].includes(response.status);
}

function failure(sample: Sample, told: string, consequence: CallFailed['consequence']): CallFailed {
  return new CallFailed(describeSample(sample, told), consequence);
}
