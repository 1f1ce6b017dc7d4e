import type { components } from '../../generated/openapi.js';
import { controlToken } from './control-token.js';

type Problem = components['schemas']['Problem'];

/** The control plane: the folder that the page is in. */
const CONTROL_URL = new URL('.', location.href);

/** The service, below which the control plane is. */
export const SERVICE_URL = new URL('..', CONTROL_URL);

/** A call of the control plane. */
export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  /** The public id of the account that is meant. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal;
}

/** A call that was refused, with what the control plane says of it. */
export class CallError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? `The control plane answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

/** A call that reached nothing. */
export class NoAnswerError extends Error {
  constructor() {
    super(`The mock at ${SERVICE_URL.href} does not answer.`);
  }
}

/** Calls the control plane and returns the JSON of its answer. */
export async function call<Body = unknown>(path: string, options: Call = {}): Promise<Body> {
  const answer = await send(path, options);
  return (await answer.json()) as Body;
}

/** Calls the control plane; throws a `CallError` for a refusal, and a `NoAnswerError` without an answer. */
export async function send(
  path: string,
  { method, body, account, signal }: Call,
): Promise<Response> {
  const token = controlToken();
  const answer = await answerOf(new URL(path.slice(1), CONTROL_URL), {
    method: method ?? 'GET',
    headers: {
      ...(account !== undefined && { 'X-Account-Id': account }),
      ...(token !== undefined && { 'X-Control-Token': token }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new CallError(answer.status, problem as Partial<Problem>);
}

/** Sends a request; a browser says no more than that it failed. */
export async function answerOf(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw error instanceof TypeError ? new NoAnswerError() : error;
  }
}
