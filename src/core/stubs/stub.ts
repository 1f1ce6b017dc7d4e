import type { components } from '../../generated/control.js';
import { STUB_SCHEMA } from '../../generated/stub-schema.js';

type Complete = components['schemas']['StubRequest'];

/**
 * A response to calls that no operation handles. In the strings of `body` and the values of
 * `headers`, `{{path.id}}`, `{{query.page}}` and `{{body.user}}` stand for values that the call
 * sent, and `{{token body.user}}` for a bearer token that is different for each value.
 *
 * @example
 * const login: StubRequest = {
 *   method: 'POST',
 *   path: '/login',
 *   body: { token: '{{token body.user}}' },
 * };
 */
export type StubRequest = Pick<Complete, 'method' | 'path' | 'needsToken'> &
  StubResponse & {
    /**
     * Instead of `status`, `headers` and `body`: one response per call in order; the last repeats.
     */
    responses?: readonly StubResponse[];
  };

/**
 * One response of a stub: 200 without a body by default.
 *
 * @example
 * const expired: StubResponse = { status: 401, body: { reason: 'expired' } };
 */
export type StubResponse = Partial<components['schemas']['StubResponse']>;

/**
 * A stub that was added, with its id and its defaults.
 *
 * @example
 * const stub: Stub = server.stubs.add({ method: 'GET', path: '/invoices/{id}' });
 */
export type Stub = Omit<components['schemas']['Stub'], keyof StubRequest> &
  StubRequest & { needsToken: boolean };

export const STUB_METHODS = STUB_SCHEMA.properties.method.enum;
