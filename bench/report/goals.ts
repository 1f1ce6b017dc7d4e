// The figures to reach, as ratios within one run.
import type { Bench } from '../harness/bench.js';
import { CLOSED, OPEN, PER_SECOND } from '../measures/page.js';
import { RUNNERS } from '../suite/project.js';
import { bestPeer, EXPRESS, NODE_HTTP, peersOf, ratio } from './compare.js';
import { figure, Notes, table } from './format.js';

const MANY = ['getCustomer', 'listMeasurements10', 'deleteEventsByRefs10'];
const NAMES: Record<string, string> = {
  getCustomer: 'customer by id',
  listMeasurements10: 'page of 10',
  listMeasurements1000: 'page of 1000',
  deleteEventsByRefs10: 'delete of 10 refs',
};

/**
 * What stands in the way of a figure where it is not reached; bench/README.md has the profiles, and
 * how far runs differ. Figures without an obstacle were reached in every run.
 */
const OBSTACLES: Record<string, string> = {
  start: 'Express and the validator are loaded, and the first request compiles its validators',
  freshStart: 'V8 compiles 1.5 MB of code, a sixth of it the validator and ajv',
  control: 'the validator of its path is compiled, once for each path that is called',
  walk: 'a record is made of columns, validated and written as JSON; the limit only writes it',
  'first 100 requests':
    'both ends of HTTP are spoken and validated, so that V8 has more code to compile',
  getCustomer: "Express and Node's HTTP take most of a request, the system's write a fifth",
  listMeasurements10: 'the limit keeps no changes, counts no total and validates nothing',
  deleteEventsByRefs10: 'a fifth is the operation, which keeps a change for each event',
  listMeasurements1000: 'JSON and its bytes are 60 %, for the limit as for ours; validation is 5 %',
  jest: 'a third of it is jest itself, and the mock, the workers and jest share two cores',
  page: 'responses are kept for the page meanwhile, and written down with each request',
  ownMock: 'each file starts a mock, and speaks and validates HTTP, where MSW calls a function',
  worker: 'where no test sends a request, a worker already holds 0.6 to 0.75 of it',
};

/** Stands for the best of all peers. */
const PEER = 'fastest peer';
const SHARED = 'ours, shared';
const PAGE = 'listMeasurements1000';
const FRESH = 'start with nothing kept';
const CONTROL = 'first call of the control plane';
const NO_UPDATE = 'longest time without an update, ms';

/** What is measured of ours, or of what is named last, over the same of another, if one is named. */
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
  ['spawn to first 200', 'at most 1.4', 'start', NODE_HTTP, OBSTACLES.start],
  ['with nothing kept: spawn to first 200', 'at most 1', FRESH, PEER, OBSTACLES.freshStart],
  [`${CONTROL}, ms`, 'at most 60', CONTROL, undefined, OBSTACLES.control],
  ...MANY.flatMap((id): Goal[] => [
    [`${NAMES[id]}: requests/s`, 'at least 1.2', id, PEER, OBSTACLES[id]],
    [`${NAMES[id]}: requests/s`, 'at least 1.5', id, EXPRESS, OBSTACLES[id]],
  ]),
  ['page of 1000: requests/s', 'at least 1', PAGE, NODE_HTTP, OBSTACLES[PAGE]],
  ['1,000,000: walk', 'at most 1.3', 'walk', NODE_HTTP, OBSTACLES.walk],
  ['1,000,000: first page by created-at, ms', 'at most 1000', 'first page by created-at'],
  [`${OPEN}: of ${PER_SECOND} requests/s`, 'at least 0.9', 'page paced', CLOSED, undefined, OPEN],
  [`${OPEN}: requests/s`, 'at least 0.9', 'page unpaced', CLOSED, OBSTACLES.page, OPEN],
  [`${OPEN}: ${NO_UPDATE}`, 'at most 1000', 'page paced update', undefined, undefined, OPEN],
  ['1,000,000: page at the end ÷ at the start', 'at most 1.1', 'walk end over start'],
  ['1,000,000: resident memory, MB', 'at most 250', 'large memory'],
  ...['first response in jest', 'first response'].map(
    (what): Goal => [`in process: ${what}`, 'at most 1', `in process ${what}`, 'MSW'],
  ),
  ...Object.entries({ 'first 100 requests': 'first 100 requests', ...NAMES }).map(
    ([id, name]): Goal => [
      ...([`in process: ${name}, requests/s`, 'at least 1', `in process ${id}`, 'MSW'] as const),
      OBSTACLES[id],
    ],
  ),
  ...RUNNERS.flatMap(({ name, obstacle }): Goal[] => {
    const suite = `suite in ${name}`;
    return [
      [`${suite}: shared, time`, 'at most 0.65', suite, 'MSW', obstacle ?? OBSTACLES.jest, SHARED],
      [`${suite}: MB`, 'at most 0.6', `${suite}, worker`, 'MSW', OBSTACLES.worker, SHARED],
      [`${suite}: a mock a file, time`, 'at most 1', suite, 'MSW', obstacle ?? OBSTACLES.ownMock],
    ];
  }),
  ['npm install: time', 'at most 1', 'install', 'json-server 0.17'],
  ['npm install: MB', 'at most 40', 'install size'],
];

export function goalsTable(bench: Bench) {
  const { results } = bench;
  const notes = new Notes();
  const rows = GOALS.map(([title, bound, measure, over, obstacle, name = 'ours']) => {
    const [, most, amount] = /^at (most|least) (.+)$/.exec(bound) ?? [];
    // Peers keep nothing between starts.
    const [ofPeers = measure] = measure.split(' with nothing kept');
    const best = over === PEER && bestPeer(bench, ofPeers, peersOf(bench), most === 'least');
    const own = results.median(measure, name);
    const value = over ? ratio(own, best ? best.value : results.median(measure, over)) : own;
    const isReached =
      most === 'most' ? Number(value) <= Number(amount) : Number(value) >= Number(amount);
    return [
      `${title}${over ? ` ÷ ${over}` : ''}${best ? ` (${best.name})` : ''}`,
      bound,
      figure(value),
      value === undefined ? '–' : isReached ? 'reached' : `NOT reached${notes.mark(obstacle)}`,
    ];
  });
  const text = table(['', 'to reach', 'measured', ''], rows);
  return ['### The figures to reach', text, String(notes)].filter(Boolean).join('\n\n');
}
