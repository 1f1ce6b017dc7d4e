// What the dataset `large` costs: its start, its memory, its pages, and 10,000 accounts over it.
//   npm run build && node bench/scale.mjs
import { createMockServer } from 'usage-billing-mock';
import { median, report, startCommand } from './command.mjs';

const ACCOUNTS = 10_000;
const DELETIONS = 10;
const PAGE = 1_000;

const command = await startCommand('--dataset', 'large', '--max-accounts', String(ACCOUNTS + 1));
report('large: spawn to ready', `${command.readyAfterMs.toFixed(0)} ms`);
report('large: resident memory when ready', `${command.residentMb().toFixed(0)} MB`);

async function call(path, token, refs) {
  const answer = await fetch(command.url + path, {
    method: refs ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(refs && { body: JSON.stringify({ refs }) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const timesMs = [];
for (let cursor = ''; cursor !== undefined; ) {
  const startedAt = performance.now();
  const page = await call(`/measurements?limit=${PAGE}${cursor && `&cursor=${cursor}`}`, 'walk');
  timesMs.push(performance.now() - startedAt);
  cursor = page.nextCursor;
}
report('large: first page, which puts a million in order', `${timesMs[0].toFixed(0)} ms`);
const middle = Math.floor(timesMs.length / 2);
for (const [where, from] of [
  ['start', 1],
  ['middle', middle],
  ['end', timesMs.length - 50],
]) {
  const figure = median(timesMs.slice(from, from + 50));
  report(`large: a page of ${PAGE} at the ${where} (median of 50)`, `${figure.toFixed(1)} ms`);
}
const totalS = timesMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
report(`large: the whole walk, ${timesMs.length} pages`, `${totalS.toFixed(1)} s`);

// Each account deletes events of its own, so that no two of them can share what is kept.
const { dataset } = await createMockServer({ dataset: 'large' });
const refs = Array.from(dataset.events, ({ ref }) => ref);
await call('/events/delete-by-refs', 'walk', refs.slice(0, 1));
const beforeMb = command.residentMb();
for (let nth = 0; nth < ACCOUNTS; nth += 1) {
  const own = refs.slice(nth * DELETIONS, (nth + 1) * DELETIONS);
  const { events } = await call('/events/delete-by-refs', `account-${nth}`, own);
  if (events.length < DELETIONS) throw new Error(`${events.length} events were deleted.`);
}
report(
  `${ACCOUNTS} accounts with ${DELETIONS} deletions each: resident memory`,
  `+${(command.residentMb() - beforeMb).toFixed(0)} MB (from ${beforeMb.toFixed(0)} MB)`,
);
await command.stop();
