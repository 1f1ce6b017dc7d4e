// Times what `open` of a module gives: a fetch that answers in this process.
import { OPERATIONS } from '../harness/operations.mjs';

/** The first answer over the default dataset in ms, from before the imports. */
export async function measureFirstAnswer(module, records) {
  const next = questionsOf(OPERATIONS[0], records);
  const startedAt = performance.now();
  const { open } = await import(module);
  await read(await open(records, 'default'), next());
  return performance.now() - startedAt;
}

/** Requests a second, one after another: while the process is warming up, and after that. */
export async function measureRequests(module, records, dataset, id, warmUp, seconds) {
  const next = questionsOf(
    OPERATIONS.find((operation) => operation.id === id),
    records,
  );
  const { open } = await import(module);
  const answer = await open(records, dataset);
  const atFirst = await sequential(answer, next, warmUp);
  return { atFirst, requests: await sequential(answer, next, seconds) };
}

/** Gives the requests one after another; a token is used until nothing is left under it. */
function questionsOf(operation, records) {
  const requests = operation.requests(records);
  let asked = 0;
  return () => {
    const round = operation.deletes ? Math.floor(asked / requests.length) : 0;
    const request = requests[asked % requests.length];
    asked += 1;
    return { ...request, token: `bench-${round}` };
  };
}

async function sequential(answer, next, seconds) {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let count = 0;
  while (performance.now() < endsAt) {
    await read(answer, next());
    count += 1;
  }
  return (count * 1_000) / (performance.now() - startedAt);
}

async function read(answer, { path, token, ...rest }) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(rest.body && { 'Content-Type': 'application/json' }),
  };
  const response = await answer(new Request(`http://127.0.0.1:9${path}`, { ...rest, headers }));
  const body = await response.json();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  if (body.events?.length === 0) throw new Error('Nothing was deleted.');
}
