import { UnknownIdError } from '../../errors/unknown-id.js';
import type { Stub } from '../../stubs/stub.js';
import type { Stubs } from '../../stubs/stubs.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** The stubs of the account, and those for every caller. */
export const STUB_OPERATIONS = {
  listStubs(context, { query }) {
    const owners = query.for ? [query.for] : (['account', 'server'] as const);
    return { stubs: owners.flatMap((owner) => stubsOf(context, owner).list()) };
  },
  addStub(context, { query, body }) {
    if (query.for) return stubsOf(context, query.for).add(body);
    // What is no object is refused there.
    if (typeof body !== 'object' || body === null) return stubsOf(context).add(body);
    const { for: owner, ...stub } = body;
    return stubsOf(context, owner).add(stub);
  },
  clearStubs: (context, { query }) => ({ count: stubsOf(context, query.for).clear() }),
  getStub(context, { path: { stubId }, query: { for: owner = 'account' } }) {
    const stub = stubsOf(context, owner)
      .list()
      .find(({ id }) => id === stubId);
    return stub ?? refuseUnknown(stubId, owner);
  },
  removeStub(context, { path: { stubId }, query: { for: owner = 'account' } }) {
    return stubsOf(context, owner).remove(stubId) ?? refuseUnknown(stubId, owner);
  },
} satisfies Partial<ControlOperations>;

function stubsOf(context: ControlContext, owner?: Stub['for']): Stubs {
  return owner === 'server' ? context.stubs : context.account.stubs;
}

function refuseUnknown(id: number, owner: Stub['for']): never {
  const other = owner === 'account' ? ' Those of the server have for=server in the query.' : '';
  throw new UnknownIdError(
    `The ${owner} has no stub '${id}'; expected the id of one that it lists.${other}`,
  );
}
