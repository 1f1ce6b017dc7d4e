// The goals, as ratios of figures within one run.
import type { Bench } from '../harness/bench.js';
import { OLDEST } from '../harness/node-versions.js';
import { ALONE, COMMANDS, SECONDS } from '../measures/commands.js';
import { CLOSED, OPEN, PER_SECOND } from '../measures/page.js';
import { RUNNERS } from '../suite/project.js';
import { bestPeer, EXPRESS, NODE_ALONE, NODE_HTTP, peersOf, ratio } from './compare.js';
import { figure, Notes, table } from './format.js';
import { earlierValues } from './readme.js';

const NAMES: Record<string, string> = {
  getCustomer: 'customer by id',
  listMeasurements10: 'page of 10',
  listMeasurements1000: 'page of 1000',
  deleteEventsByRefs10: 'delete of 10 refs',
};

/**
 * Why some goals may not be reached; bench/README.md has the profiles, and how much runs differ.
 * Goals without an obstacle were reached in every run.
 */
const OBSTACLES: Record<string, string> = {
  start: 'Express and the validator are loaded before the first request',
  freshStart: 'V8 compiles 1.5 MB of code, a sixth of it the validator and ajv',
  control: 'the validator of its path is compiled, once for each path that is called',
  walk: 'a record is made of columns, validated and written as JSON; the limit only writes it',
  'first 100 requests':
    'both ends of HTTP are spoken and validated, so that V8 has more code to compile',
  getCustomer:
    'Node 24 no longer pays for what Express does to each request; neither it nor json-server validates, counts or notes anything',
  listMeasurements10:
    'Node 24 no longer pays for what Express does to each request; it keeps no changes, counts no total and validates nothing',
  deleteEventsByRefs10:
    'Node 24 no longer pays for what Express does to each request; a quarter is the write, the rest is spread over reading, checking, deleting and noting',
  listMeasurements1000:
    'half is JSON, of strings that are put together for this page, where the limit has them ready',
  page: 'responses are kept for the page meanwhile, and written down with each request',
  task: 'Chromium shares its core with the load generator',
  memory: 'Node 24 holds more before the first line: the limits grew by 130 MB',
  matrix: 'each run has a new mock, whose journal is kept and compared',
  ownMock: 'each file starts a mock, and speaks and validates HTTP, where MSW calls a function',
};

/** Stands for the best of the peers. */
const PEER = 'fastest peer';
const FIRST = 'first 100 requests';
const FRESH = 'start with nothing kept';
const CONTROL = 'first call of the control plane';
/** Twice as many as another target means half of its CPU time. */
const CPU = ', requests in a second of CPU';
const NO_UPDATE = 'longest time without an update, ms';
const TASK = 'longest task while scrolled, ms';

/** A measure of this mock or another target, divided by that of a reference, if there is one. */
type Goal = [
  title: string,
  bound: string,
  measure: string,
  over?: string | undefined,
  obstacle?: string | undefined,
  name?: string,
];

const GOALS: Goal[] = [
  ['spawn to first 200', 'at most 1', 'start', PEER],
  ['spawn to first 200', 'at most 1.75', 'start', NODE_ALONE, OBSTACLES.start],
  ['spawn to first 200', 'at most 1.7', 'start', NODE_HTTP, OBSTACLES.start],
  [`on Node ${OLDEST}: spawn to first 200`, 'no goal', `start on Node ${OLDEST}`, NODE_HTTP],
  ['with nothing kept: spawn to first 200', 'at most 1', FRESH, PEER, OBSTACLES.freshStart],
  [`${CONTROL}, ms`, 'at most 60', CONTROL, undefined, OBSTACLES.control],
  cpu('getCustomer', 'at least 1.5', PEER),
  cpu('getCustomer', 'at least 1.5', EXPRESS),
  cpu('listMeasurements10', 'at least 1.5', PEER),
  cpu('listMeasurements10', 'at least 1.8', EXPRESS),
  // No peer deletes by refs.
  cpu('deleteEventsByRefs10', 'at least 1.2', EXPRESS),
  cpu('listMeasurements1000', 'at least 0.95', NODE_HTTP),
  ['100,000: walk', 'at most 1.4', 'walk', NODE_HTTP, OBSTACLES.walk],
  ['100,000: first page by created-at, ms', 'at most 1000', 'first page by created-at'],
  [`${OPEN}: of ${PER_SECOND} requests/s`, 'at least 0.9', 'page paced', CLOSED, undefined, OPEN],
  [`${OPEN}: requests/s`, 'at least 0.9', 'page unpaced', CLOSED, OBSTACLES.page, OPEN],
  [`${OPEN}: ${NO_UPDATE}`, 'at most 1000', 'page paced update', undefined, undefined, OPEN],
  [`${OPEN}: ${TASK}`, 'at most 50', 'page paced task', undefined, OBSTACLES.task, OPEN],
  ['100,000: page at the end ÷ at the start', 'at most 1.1', 'walk end over start'],
  ['100,000: resident memory, MB', 'at most 250', 'large memory', undefined, OBSTACLES.memory],
  ['2,000 accounts over large, one GET each: heap, MB', 'at most 8', 'account heap after a call'],
  ['in process: first response', 'at most 1', 'in process first response', 'MSW'],
  [`in process: ${FIRST}/s`, 'at least 1', `in process ${FIRST}`, 'MSW', OBSTACLES[FIRST]],
  ...Object.entries(NAMES).map(([id, name]): Goal => {
    const measure = `in process ${id} cpu`;
    return [`in process: ${name}${CPU}`, 'at least 1', measure, 'MSW', OBSTACLES[id]];
  }),
  ...RUNNERS.flatMap(({ name, obstacle }): Goal[] => {
    const suite = `suite in ${name}`;
    return [[`${suite}: time`, 'at most 0.9', suite, 'MSW', obstacle ?? OBSTACLES.ownMock]];
  }),
  ...COMMANDS.map(({ name }): Goal => {
    return [`${name}: time of a suite`, 'at most 1.1', SECONDS, ALONE, OBSTACLES[name], name];
  }),
  ['npm ci: packages', 'at most 546', 'npm ci: packages'],
  ['npm ci: MB', 'at most 315', 'npm ci: MB'],
];

function cpu(id: string, bound: string, over: string): Goal {
  return [`${NAMES[id]}${CPU}`, bound, `${id} cpu`, over, OBSTACLES[id]];
}

export function goalsTable(bench: Bench) {
  const { results } = bench;
  const notes = new Notes();
  const rows = GOALS.map(([title, bound, measure, over = '', obstacle, name = 'ours']) => {
    const [, most, amount] = /^at (most|least) (.+)$/.exec(bound) ?? [];
    const isCost = measure.endsWith(' cpu');
    // Peers keep nothing between starts.
    const [ofPeers = measure] = measure.split(' with nothing kept');
    const isMoreBetter = most === 'least' && !isCost;
    const best = over === PEER ? bestPeer(bench, ofPeers, peersOf(bench), isMoreBetter) : undefined;
    const other = best?.name ?? over;
    const own = results.median(measure, name);
    const reference = results.median(ofPeers, other);
    const value = !over ? own : isCost ? ratio(reference, own) : ratio(own, reference);
    const wall = measure.replace(/ cpu$/, '');
    const byWall = isCost ? ratio(results.median(wall, name), results.median(wall, other)) : value;
    const isReached =
      most === 'most' ? Number(value) <= Number(amount) : Number(value) >= Number(amount);
    const isSteady = isWithinAThird(results.cell(ofPeers, other).values);
    const isGoal = value !== undefined && amount !== undefined;
    const verdict = !isGoal ? '–' : !isSteady ? '?' : isReached ? 'yes' : 'no';
    const why: Record<string, string | undefined> = { no: obstacle, '?': MOVED };
    const label = `${title}${over && ` ÷ ${over}`}`;
    return [
      label + (best ? ` (${best.name})` : ''),
      ...[bound, figure(value), figure(byWall)],
      (VERDICTS[verdict] ?? '–') + notes.mark(why[verdict]),
      [...earlierValues(label), figure(value)].slice(-3).join(', '),
    ];
  });
  const text = table(['', 'to reach', 'measured', 'by wall time', '', 'last three runs'], rows);
  return ['### The figures to reach', text, String(notes)].filter(Boolean).join('\n\n');
}

const VERDICTS: Record<string, string> = {
  yes: 'reached',
  no: 'NOT reached',
  '?': 'cannot tell',
};
const MOVED = 'what it is held against moved by more than a third between rounds';

function isWithinAThird(values: number[]) {
  return values.length === 0 || Math.max(...values) <= (4 / 3) * Math.min(...values);
}
