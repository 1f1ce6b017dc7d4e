import { shown } from '../../core/values/received-value.js';

/** The account that `expect` was given, directly or as the mock of a test. */
export function accountIn<Account>(received: unknown): Account {
  refusePromise(received);
  const { account, journal } = (received ?? {}) as { account?: unknown; journal?: unknown };
  const isServer = typeof account === 'function';
  if (journal !== undefined && !isServer) return (account ?? received) as Account;
  throw new TypeError(
    `expect() was given ${isServer ? 'a server' : shown(received)}; expected an account: the kit's mock (in Playwright, billing), or server.account(token).`,
  );
}

export function refusePromise(received: unknown): void {
  if (!isPromise(received)) return;
  throw new TypeError('expect() was given a promise; await it: expect(await …).');
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | undefined | null)?.then === 'function';
}
