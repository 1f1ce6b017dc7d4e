// Times the `fetch` that a module's `open` returns, which answers in this process.
import { BY_NAME, OPERATIONS } from '../harness/operations.mjs';

/** @import { Asked, Body, Fetch, Open, Operation, Question, Records } from '../types.js' */

/**
 * The milliseconds until the first response over the default dataset, imports included.
 * @param {string} module
 * @param {Records} records
 */
export async function measureFirstResponse(module, records) {
  const next = questionsOf(OPERATIONS[0], records);
  const startedAt = performance.now();
  /** @type {{ open: Open }} */
  const { open } = await import(module);
  await read(await open(records, 'default'), next());
  return performance.now() - startedAt;
}

/** The operations of a test file: reading and deleting in turn. */
const MIXED = ['getCustomer', 'listMeasurements10', 'deleteEventsByRefs10'];
const FIRST_REQUESTS = 100;

/**
 * Requests a second among the first hundred, without the time to open the mock.
 * @param {string} module
 * @param {Records} records
 * @param {string} dataset
 */
export async function measureFirstRequests(module, records, dataset) {
  const questions = [BY_NAME, ...OPERATIONS.filter(({ id }) => MIXED.includes(id))].map(
    (operation) => questionsOf(operation, records),
  );
  /** @type {{ open: Open }} */
  const { open } = await import(module);
  const answer = await open(records, dataset);
  const startedAt = performance.now();
  for (let nth = 0; nth < FIRST_REQUESTS; nth += 1) {
    const next = /** @type {() => Asked} */ (questions[nth % questions.length]);
    await read(answer, next());
  }
  return (FIRST_REQUESTS * 1_000) / (performance.now() - startedAt);
}

/**
 * Sequential requests a second, first while the process warms up, then warm, with the CPU time of a
 * warm request in µs.
 * @param {string} module
 * @param {Records} records
 * @param {string} dataset
 * @param {string} id
 * @param {number} warmUp
 * @param {number} seconds
 */
export async function measureRequests(module, records, dataset, id, warmUp, seconds) {
  const operation = /** @type {Operation} */ (OPERATIONS.find((each) => each.id === id));
  const next = questionsOf(operation, records);
  /** @type {{ open: Open }} */
  const { open } = await import(module);
  const answer = await open(records, dataset);
  const atFirst = await sequential(answer, next, warmUp);
  const before = process.cpuUsage();
  const requests = await sequential(answer, next, seconds);
  const { user, system } = process.cpuUsage(before);
  return {
    atFirst: atFirst.perSecond,
    requests: requests.perSecond,
    cpu: (user + system) / requests.count,
  };
}

/**
 * Returns the requests one after another. Those that delete use a token until nothing is left.
 * @param {Pick<Operation, 'requests' | 'deletes'>} operation
 * @param {Records} records
 * @returns {() => Asked}
 */
function questionsOf(operation, records) {
  const requests = operation.requests(records);
  let asked = 0;
  return () => {
    const round = operation.deletes ? Math.floor(asked / requests.length) : 0;
    const request = /** @type {Question} */ (requests[asked % requests.length]);
    asked += 1;
    return { ...request, token: `bench-${round}` };
  };
}

/**
 * @param {Fetch} answer
 * @param {() => Asked} next
 * @param {number} seconds
 */
async function sequential(answer, next, seconds) {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let count = 0;
  while (performance.now() < endsAt) {
    await read(answer, next());
    count += 1;
  }
  return { count, perSecond: (count * 1_000) / (performance.now() - startedAt) };
}

/**
 * @param {Fetch} answer
 * @param {Asked} asked
 */
async function read(answer, { path, token, ...rest }) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(rest.body && { 'Content-Type': 'application/json' }),
  };
  const response = await answer(new Request(`http://billing.test${path}`, { ...rest, headers }));
  const body = /** @type {Body} */ (await response.json());
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  if (body.events?.length === 0) throw new Error('Nothing was deleted.');
}
