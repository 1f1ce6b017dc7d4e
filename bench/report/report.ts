// The report in Markdown: the machine, the goals, and a table for each measure.
import { cpus, release, totalmem, type } from 'node:os';
import type { Bench } from '../harness/bench.js';
import { OLDEST } from '../harness/node-versions.js';
import { OPERATIONS } from '../harness/operations.mjs';
import { SECONDS, WAYS } from '../measures/commands.js';
import { CLOSED, OPEN, PER_SECOND } from '../measures/page.js';
import { RUNNERS, TARGETS as SUITES } from '../suite/project.js';
import { figure } from './format.js';
import { goalsTable } from './goals.js';
import { measureTable, ownTable, sideBySideTable, type Titled } from './tables.js';

const PACES: [title: string, pace: string][] = [
  [`${PER_SECOND} requests a second`, 'paced'],
  ['as fast as it answers', 'unpaced'],
];

export function reportOf(bench: Bench, minutes: number) {
  return [
    machine(bench, minutes),
    goalsTable(bench),
    measureTable(bench, {
      title: 'Spawn to the first 200',
      columns: [
        ['ms', 'start'],
        ['with nothing kept', 'start with nothing kept'],
        [`on Node ${OLDEST}`, `start on Node ${OLDEST}`],
        ['MB then', 'memory at start'],
        ['MB after load', 'memory after load'],
      ],
    }),
    ...OPERATIONS.map(({ id, title }) =>
      measureTable(bench, {
        title,
        isMoreBetter: true,
        columns: [
          ['requests/s', id],
          ['CPU µs', `${id} cpu`],
          ['p50 ms', `${id} p50`],
          ['p99 ms', `${id} p99`],
          ['bytes', `${id} bytes`],
        ],
      }),
    ),
    sideBySideTable(
      bench,
      'The page in the browser',
      [CLOSED, OPEN],
      [
        ...PACES.flatMap(([title, pace]): Titled[] => [
          [`${title}: requests/s`, `page ${pace}`],
          ['p99 ms', `page ${pace} p99`],
          ["server's CPU, ms per 1,000 requests", `page ${pace} cpu`],
          ['list: longest time without an update, ms', `page ${pace} update`],
          ['list: until it has the last request, ms', `page ${pace} last`],
        ]),
        ['list: longest task while scrolled, ms', 'page paced task'],
      ],
    ),
    measureTable(bench, {
      title: '100,000 measurements, walked by cursor in pages of 1000',
      columns: [
        ['s', 'walk'],
        ['first page ms', 'walk first page'],
        ['start ms', 'walk start'],
        ['middle ms', 'walk middle'],
        ['end ms', 'walk end'],
        ['to first 200 ms', 'large start'],
        ['MB then', 'large memory at start'],
        ['MB after', 'large memory'],
      ],
    }),
    sideBySideTable(
      bench,
      'In process',
      ['MSW', 'ours'],
      [
        ['first response, imports included, ms', 'in process first response'],
        ['first 100 requests, reading and deleting, requests/s', 'in process first 100 requests'],
        ...OPERATIONS.flatMap(({ id }): Titled[] => [
          [`${id}, requests/s`, `in process ${id}`],
          [`${id} while it warms up`, `in process ${id} at first`],
        ]),
      ],
    ),
    sideBySideTable(
      bench,
      'A suite of 20 files, 1,000 requests, two workers',
      SUITES.map((target) => target.name),
      RUNNERS.flatMap(({ name }): Titled[] => [
        [`${name}: s`, `suite in ${name}`],
        ['processes', `suite in ${name}, workers`],
        ['MB of a worker', `suite in ${name}, worker`],
      ]),
    ),
    sideBySideTable(bench, 'The suite by URL, under the command', WAYS, [['s for a run', SECONDS]]),
    ownTable(bench, 'What is made when it is first needed', [
      ['the slowest first call of the control plane, ms', 'first call of the control plane'],
      ['over `large`: the first page by `created-at`, ms', 'first page by created-at'],
    ]),
    ownTable(bench, 'Accounts over `large`', [
      ['opening one, µs', 'account open'],
      ['opening one, the slowest of 10,000, ms', 'account open, slowest'],
      ['10,000 without changes: heap, MB', 'account heap'],
      ['2,000 after one GET each: heap, MB', 'account heap after a call'],
      ['snapshot of one with 10 deletions, µs', 'account snapshot'],
      ['going back to it, µs', 'account restore'],
      ['reset of one with 10 deletions, µs', 'account reset'],
    ]),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function machine({ plan, peers, cores }: Bench, minutes: number) {
  const versions = Object.entries(peers).map(
    ([, { versions: installed, reason }]) =>
      installed.join(' with ') + (reason ? ` (${reason})` : ''),
  );
  const starts = plan.rounds * plan.starts;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, in ${figure(minutes)} minutes.`,
    `Machine: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${figure(totalmem() / 2 ** 30)} GB, ${type()} ${release().split('.', 2).join('.')}, Node ${process.version}; ${cores.note}.`,
    `${plan.rounds} ${plan.rounds === 1 ? 'round' : 'rounds'} of ${plan.seconds} s a measure, ${starts} ${starts === 1 ? 'start' : 'starts'} of each server.`,
    versions.length > 0 ? `Peers: ${versions.join('; ')}.` : '',
  ]
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n');
}
