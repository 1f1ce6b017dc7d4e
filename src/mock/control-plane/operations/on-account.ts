import { ProblemError } from '../../../core/errors/problem-error.js';
import type { components } from '../../../generated/control.js';
import { INSTEAD_OF_LARGER } from '../control-bodies.js';
import { JsonPieces } from '../json-in-pieces.js';
import type { ControlContext, ControlOperations } from './control-operation.js';
import { listed } from './on-server.js';

export const ACCOUNT_OPERATIONS = {
  'GET /account': describeAccount,
  'PUT /account'({ account }, { body: { name } }) {
    account.setName(name);
    // Not `describeAccount`, which hashes every record.
    return listed(account);
  },
  'POST /reset'({ account }) {
    account.reset();
    return { accounts: 1 };
  },
  'PUT /account/test'({ account }, { body }) {
    account.markTest(body);
    return listed(account);
  },

  'GET /state': ({ account }) => written(account.store.size, () => account.exportState()),
  'GET /fixture': ({ account }, { query }) => {
    const { size, changeCount } = account.store;
    const isWhole = query.whole || query.newIds;
    if (isWhole && size > MAX_WHOLE) throw tooMany(size);
    return written(isWhole ? size : changeCount, () => account.fixture(query));
  },
  async 'PUT /state'(context, { body }) {
    refuseMany(body);
    await context.account.basesOf(body);
    context.account.importState(body);
    return describeAccount(context);
  },

  'GET /scenarios': ({ account }) => ({
    scenarios: account.scenarioNames().map((name) => ({ name })),
  }),

  'GET /snapshots': ({ account }) => ({ snapshots: account.snapshots.list() }),
  'DELETE /snapshots/{snapshotId}'({ account }, { path: { snapshotId } }) {
    account.snapshots.remove(snapshotId);
    return { id: snapshotId };
  },
  'POST /snapshots/{snapshotId}/restore'(context, { path: { snapshotId } }) {
    context.account.restore(snapshotId);
    return describeAccount(context);
  },
} satisfies Partial<ControlOperations>;

function describeAccount({ account }: ControlContext): components['schemas']['Account'] {
  const { store } = account;
  return {
    name: account.owner.name,
    dataset: store.bases.fingerprint,
    fingerprint: store.fingerprint(),
    changed: account.changed,
    ...store.sizes,
  };
}

/** So many common records have 4 MB, and are put in place in half a second. */
const MAX_RECORDS = 25_000;
/** So many are made anonymous in half a second, even if nine tenths are generated events. */
const MAX_WHOLE = 10_000;

function refuseMany(state: unknown): void {
  const lists = Object.values(Object(state)).filter(Array.isArray);
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (count <= MAX_RECORDS) return;
  throw new ProblemError(
    'content-too-large',
    `The state has ${count} records; expected at most ${MAX_RECORDS}. ${INSTEAD_OF_LARGER}`,
  );
}

const MAX_STATE_BYTES = 64 * 2 ** 20;
const SMALLEST_RECORD =
  '{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}';

/** The JSON of so many records, which the judge need not see. Refuses too many before they are read. */
function written(records: number, read: () => object): JsonPieces {
  if (records * SMALLEST_RECORD.length > MAX_STATE_BYTES) throw tooLarge();
  const text = JSON.stringify(read());
  if (text.length > MAX_STATE_BYTES) throw tooLarge();
  return new JsonPieces().add(text);
}

function tooMany(records: number): ProblemError {
  return new ProblemError(
    'content-too-large',
    `The whole fixture would have ${records} records; expected at most ${MAX_WHOLE}. Run 'usage-billing-mock fixture --from <url> --whole', which reads them page by page, or call the library where the mock runs.`,
  );
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'content-too-large',
    "The response would be larger than 64 MB; expected at most that. Read the account's collections page by page, or call the library where the mock runs.",
  );
}
