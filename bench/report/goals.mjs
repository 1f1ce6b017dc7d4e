// The figures to reach, as ratios within one run.
import { bestPeer, EXPRESS, NODE_HTTP, peersOf, ratio } from './compare.mjs';
import { figure, table } from './format.mjs';

const MANY = ['getCustomer', 'listMeasurements10', 'deleteEventsByRefs10'];
const NAMES = {
  getCustomer: 'customer by id',
  listMeasurements10: 'page of 10',
  listMeasurements1000: 'page of 1000',
  deleteEventsByRefs10: 'delete of 10 refs',
};

const atMost = (bound) => ({ bound: `at most ${bound}`, holds: (value) => value <= bound });
const atLeast = (bound) => ({ bound: `at least ${bound}`, holds: (value) => value >= bound });

/** Each: what, its bound, and the value that is measured. */
const GOALS = [
  goal('spawn to first 200 ÷ fastest peer', atMost(1), overPeer('start', false)),
  // 250 ms where bare node:http takes 88.
  goal('spawn to first 200 ÷ node:http', atMost(2.84), over('start', NODE_HTTP)),
  ...MANY.flatMap((id) => [
    goal(`${NAMES[id]}: requests/s ÷ fastest peer`, atLeast(1.2), overPeer(id, true)),
    goal(`${NAMES[id]}: requests/s ÷ Express`, atLeast(1.5), over(id, EXPRESS)),
  ]),
  goal(
    'page of 1000: requests/s ÷ node:http',
    atLeast(0.9),
    over('listMeasurements1000', NODE_HTTP),
  ),
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
  ...Object.entries(NAMES).map(([id, name]) =>
    goal(`in process: ${name}, requests/s ÷ MSW`, atLeast(1), over(`in process ${id}`, 'MSW')),
  ),
  goal('npm install: time ÷ json-server 0.17', atMost(1), over('install', 'json-server 0.17')),
  goal('npm install: MB', atMost(40), own('install size')),
];

export function goalsTable(bench) {
  const rows = GOALS.map(({ title, bound, holds, measured }) => {
    const { value, against } = measured(bench);
    const verdict = value === undefined ? '–' : verdictOf(holds(value));
    return [title + (against ? ` (${against})` : ''), bound, figure(value), verdict];
  });
  return ['### The figures to reach', table(['', 'to reach', 'measured', ''], rows)].join('\n\n');
}

function goal(title, bound, measured) {
  return { title, ...bound, measured };
}

function verdictOf(isReached) {
  return isReached ? 'reached' : 'NOT reached';
}

function own(measure) {
  return ({ results }) => ({ value: results.median(measure, 'ours') });
}

function over(measure, name) {
  return ({ results }) => ({
    value: ratio(results.median(measure, 'ours'), results.median(measure, name)),
  });
}

function overPeer(measure, isMoreBetter) {
  return (bench) => {
    const best = bestPeer(bench, measure, peersOf(bench), isMoreBetter);
    const value = ratio(bench.results.median(measure, 'ours'), best?.value);
    return { value, against: best?.name ?? 'none has a figure' };
  };
}
