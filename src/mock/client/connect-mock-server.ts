import type { StubsControl } from '../../core/stubs/stubs.js';
import { prefixOf, refuseInvalidToken, TOKEN_FORM } from '../../core/values/bearer-token.js';
import type { AccountControl } from '../accounts/account-interface.js';
import type { JournalControl } from '../accounts/journal/journal.js';
import type { Coverage } from '../coverage/coverage.js';
import { type ConnectOptions, checkedOptions } from './connect-options.js';
import type { Remote } from './remote.js';
import { remoteAccount, remoteJournal, remoteStubs } from './remote-account.js';
import { createCall, type FetchLike, type Target } from './send.js';
import { VERBS } from './verbs.js';

export { InvalidInputError } from '../../core/errors/invalid-input.js';
export { ProblemError } from '../../core/errors/problem-error.js';
export { UnknownIdError } from '../../core/errors/unknown-id.js';
export type { ConnectOptions, FetchLike, Remote };

/**
 * A mock in another process, controlled with methods like those of the library.
 *
 * @example
 * const server: RemoteServer = connectMockServer({ url: 'http://127.0.0.1:4010' });
 * console.log(await server.journal.count());
 */
export interface RemoteServer {
  /** The mock's URL, without a trailing slash. */
  readonly url: string;
  /**
   * The account of a token, to arrange and inspect. Its first method call opens it if it is new.
   * Throws a `TypeError` for a token that no request could send.
   */
  account(token: string): Remote<AccountControl>;
  /** The requests that reached no account: unknown paths, missing or refused tokens. */
  readonly journal: Remote<JournalControl>;
  /** Responses to calls that no operation handles, for every caller. */
  readonly stubs: Remote<StubsControl>;
  /** The OpenAPI document in force for the account of the token. */
  openapi(token: string): Promise<object>;
  /** What requests since the server was created have touched: operations, faults and decisions. */
  coverage(): Promise<Coverage>;
  /** Resets every open account; resolves to the number of accounts. */
  resetAll(): Promise<number>;
  /** Closes the account of a token; resolves to whether there was one. */
  closeAccount(token: string): Promise<boolean>;
  /** Closes the open accounts whose tokens begin with the prefix; resolves to their number. */
  closeAccounts(selection: { readonly prefix: string }): Promise<number>;
  /** Closes every account; resolves to the number of accounts. */
  closeAllAccounts(): Promise<number>;
  /**
   * Stops the command that serves the mock, once this call has its response. Rejects with a
   * `ProblemError` if the mock is part of another program.
   */
  stop(): Promise<void>;
}

/**
 * Controls a mock that runs as a command, in a container or in another process, over HTTP. Sends
 * nothing by itself. Methods reject with errors of the classes that the library throws, or with an
 * `Error` that names the URL if no mock answers there.
 *
 * @example
 * const account = connectMockServer({ url: 'http://127.0.0.1:4010' }).account('my-token');
 * await account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
 * console.log(await account.journal.count({ operationId: 'deleteContract' }));
 */
export function connectMockServer(options: ConnectOptions): RemoteServer {
  const { fetch = globalFetch(), ...given } = checkedOptions(options);
  const { url } = given;
  const target: Target = { ...given, fetch, isGlobalFetch: options.fetch === undefined };
  const call = createCall(target);
  const callAs = (token: string) => {
    refuseInvalidToken(token);
    return createCall({ ...target, token });
  };
  const close = (query: { readonly prefix: string } | { readonly all: 'true' }) =>
    call(VERBS.server.closeAllAccounts, { query }, ({ closed }) => closed);
  return {
    url,
    account: (token) => remoteAccount(callAs(token)),
    journal: remoteJournal(call, 'server'),
    stubs: remoteStubs(call, 'server'),
    openapi: async (token) => callAs(token)(VERBS.server.openapi),
    coverage: () => call(VERBS.server.coverage),
    resetAll: () => call(VERBS.server.resetAll, {}, ({ accounts }) => accounts),
    closeAccount: async (token) =>
      isToken(token) && callAs(token)(VERBS.server.closeAccount, {}, ({ closed }) => closed),
    async closeAccounts(selection) {
      const prefix = prefixOf(selection);
      return isToken(prefix) ? close({ prefix }) : 0;
    },
    closeAllAccounts: () => close({ all: 'true' }),
    stop: () => call(VERBS.server.stop, {}, () => undefined),
  };
}

function isToken(text: unknown): boolean {
  return typeof text === 'string' && TOKEN_FORM.test(text);
}

/** Looks up the global `fetch` with every call, because a test may replace it. */
function globalFetch(): FetchLike {
  if (typeof globalThis.fetch === 'function') return (url, init) => globalThis.fetch(url, init);
  throw new TypeError(
    "There is no global fetch. Pass one to connectMockServer as its option fetch; under jsdom, pass Node's.",
  );
}
