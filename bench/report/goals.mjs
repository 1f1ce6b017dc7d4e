// The figures to reach, as ratios within one run.
import { CLOSED, OPEN, PER_SECOND } from '../measures/page.mjs';
import { RUNNERS } from '../suite/project.mjs';
import { bestPeer, EXPRESS, NODE_HTTP, peersOf, ratio } from './compare.mjs';
import { figure, Notes, table } from './format.mjs';

/** @import { Bench, Bound, Goal } from '../types.js' */

const MANY = ['getCustomer', 'listMeasurements10', 'deleteEventsByRefs10'];
/** @type {Record<string, string>} */
const NAMES = {
  getCustomer: 'customer by id',
  listMeasurements10: 'page of 10',
  listMeasurements1000: 'page of 1000',
  deleteEventsByRefs10: 'delete of 10 refs',
};

/**
 * What stands in the way of a figure where it is not reached; bench/README.md has the profiles, and
 * how far runs differ. Figures without an obstacle were reached in every run.
 * @type {Record<string, string>}
 */
const OBSTACLES = {
  start: 'Express and the validator are loaded, and the first request compiles its validators',
  freshStart: 'V8 compiles 1.5 MB of code, a sixth of it the validator and ajv',
  control: 'the validator of its path is compiled, once for each path that is called',
  walk: 'a record is made of columns, validated and written as JSON; the limit only writes it',
  cold: 'both ends of HTTP are spoken and validated, so that V8 has more code to compile',
  getCustomer: "Express and Node's HTTP take most of a request, the system's write a fifth",
  listMeasurements10: 'the limit keeps no changes, counts no total and validates nothing',
  deleteEventsByRefs10: 'a fifth is the operation, which keeps a change for each event',
  listMeasurements1000: 'JSON and its bytes are 60 %, for the limit as for ours; validation is 5 %',
  jest: 'a third of it is jest itself, and the mock, the workers and jest share two cores',
  page: 'answers are kept for the page meanwhile, and written down with each request',
  ownMock: 'each file starts a mock, and speaks and validates HTTP, where MSW calls a function',
  worker: 'where no test sends a request, a worker already holds 0.6 to 0.75 of it',
};

/** @type {(bound: number) => Bound} */
const atMost = (bound) => ({ bound: `at most ${bound}`, holds: (value) => value <= bound });
/** @type {(bound: number) => Bound} */
const atLeast = (bound) => ({ bound: `at least ${bound}`, holds: (value) => value >= bound });

/** Each: what, its bound, and the value that is measured. */
const GOALS = [
  goal('spawn to first 200 ÷ fastest peer', atMost(1), overPeer('start', false)),
  goal('spawn to first 200 ÷ node:http', atMost(1.4), over('start', NODE_HTTP), OBSTACLES.start),
  goal(
    'with nothing kept: spawn to first 200 ÷ fastest peer',
    atMost(1),
    overPeer('start', false, 'start with nothing kept'),
    OBSTACLES.freshStart,
  ),
  goal(
    'first call of the control plane, ms',
    atMost(60),
    own('first call of the control plane'),
    OBSTACLES.control,
  ),
  ...MANY.flatMap((id) => [
    goal(
      `${NAMES[id]}: requests/s ÷ fastest peer`,
      atLeast(1.2),
      overPeer(id, true),
      OBSTACLES[id],
    ),
    goal(`${NAMES[id]}: requests/s ÷ Express`, atLeast(1.5), over(id, EXPRESS), OBSTACLES[id]),
  ]),
  goal(
    'page of 1000: requests/s ÷ node:http',
    atLeast(1),
    over('listMeasurements1000', NODE_HTTP),
    OBSTACLES.listMeasurements1000,
  ),
  goal('1,000,000: walk ÷ node:http', atMost(1.3), over('walk', NODE_HTTP), OBSTACLES.walk),
  goal('1,000,000: first page by created-at, ms', atMost(1000), own('first page by created-at')),
  goal(
    `page in the browser open ÷ closed: requests/s of ${PER_SECOND}`,
    atLeast(0.9),
    whileOpen('page paced'),
  ),
  goal(
    'page in the browser open ÷ closed: requests/s at most',
    atLeast(0.9),
    whileOpen('page unpaced'),
    OBSTACLES.page,
  ),
  goal('page in the browser: longest time without an update, ms', atMost(1_000), ({ results }) => ({
    value: results.median('page paced update', OPEN),
  })),
  goal('1,000,000: page at the end ÷ at the start', atMost(1.1), own('walk end over start')),
  goal('1,000,000: resident memory, MB', atMost(250), own('large memory')),
  goal(
    'in process: first answer in a file of jest ÷ MSW',
    atMost(1),
    over('in process first answer in jest', 'MSW'),
  ),
  goal(
    'in process: first answer in a process ÷ MSW',
    atMost(1),
    over('in process first answer', 'MSW'),
  ),
  goal(
    'in process: first 100 requests, requests/s ÷ MSW',
    atLeast(1),
    over('in process first 100 requests', 'MSW'),
    OBSTACLES.cold,
  ),
  ...Object.entries(NAMES).map(([id, name]) =>
    goal(
      `in process: ${name}, requests/s ÷ MSW`,
      atLeast(1),
      over(`in process ${id}`, 'MSW'),
      OBSTACLES[id],
    ),
  ),
  ...RUNNERS.flatMap(({ name, obstacle }) => [
    goal(
      `suite in ${name}: shared, time ÷ MSW`,
      atMost(0.65),
      inSuite('ours, shared', name),
      obstacle ?? OBSTACLES.jest,
    ),
    goal(
      `suite in ${name}: shared, a worker's MB ÷ MSW`,
      atMost(0.6),
      inSuite('ours, shared', `${name}, worker`),
      OBSTACLES.worker,
    ),
    goal(
      `suite in ${name}: a mock a file, time ÷ MSW`,
      atMost(1),
      inSuite('ours', name),
      obstacle ?? OBSTACLES.ownMock,
    ),
  ]),
  goal('npm install: time ÷ json-server 0.17', atMost(1), over('install', 'json-server 0.17')),
  goal('npm install: MB', atMost(40), own('install size')),
];

/** @param {Bench} bench */
export function goalsTable(bench) {
  const notes = new Notes();
  const rows = GOALS.map(({ title, bound, holds, measured, obstacle }) => {
    const { value, against } = measured(bench);
    const verdict = (/** @type {number} */ amount) =>
      holds(amount) ? 'reached' : `NOT reached${notes.mark(obstacle)}`;
    return [
      title + (against ? ` (${against})` : ''),
      bound,
      figure(value),
      value === undefined ? '–' : verdict(value),
    ];
  });
  const text = table(['', 'to reach', 'measured', ''], rows);
  return ['### The figures to reach', text, String(notes)].filter(Boolean).join('\n\n');
}

/**
 * @param {string} title
 * @param {Bound} bound
 * @param {Goal['measured']} measured
 * @param {string} [obstacle]
 * @returns {Goal}
 */
function goal(title, bound, measured, obstacle) {
  return { title, ...bound, measured, obstacle };
}

/**
 * @param {string} measure
 * @returns {Goal['measured']}
 */
function own(measure) {
  return ({ results }) => ({ value: results.median(measure, 'ours') });
}

/**
 * @param {string} measure
 * @param {string} name
 * @returns {Goal['measured']}
 */
function over(measure, name) {
  return ({ results }) => ({
    value: ratio(results.median(measure, 'ours'), results.median(measure, name)),
  });
}

/**
 * @param {string} measure
 * @returns {Goal['measured']}
 */
function whileOpen(measure) {
  return ({ results }) => ({
    value: ratio(results.median(measure, OPEN), results.median(measure, CLOSED)),
  });
}

/**
 * @param {string} target
 * @param {string} figure
 * @returns {Goal['measured']}
 */
function inSuite(target, figure) {
  const measure = `suite in ${figure}`;
  return ({ results }) => ({
    value: ratio(results.median(measure, target), results.median(measure, 'MSW')),
  });
}

/**
 * @param {string} measure
 * @param {boolean} isMoreBetter
 * @param {string} [ownMeasure]
 * @returns {Goal['measured']}
 */
function overPeer(measure, isMoreBetter, ownMeasure = measure) {
  return (bench) => {
    const best = bestPeer(bench, measure, peersOf(bench), isMoreBetter);
    const value = ratio(bench.results.median(ownMeasure, 'ours'), best?.value);
    return { value, against: best?.name ?? 'none has a figure' };
  };
}
