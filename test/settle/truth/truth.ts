import { readFileSync } from 'node:fs';
import type { SettleReport } from '../../../src/index.js';
import {
  askService,
  ofOneAccount,
  RUNS,
  type Run,
  toldRightly,
  wrongVerdicts,
} from './ask-service.js';
import { BEHAVIOURS, type Behaviour } from './behaviours.js';

/** How many decisions a run and its recording tell rightly: with GET alone, with scratch records. */
type Told = readonly [asked: number, read: number, asked: number, read: number];

/** The least to tell of most behaviours, and of those of which settle tells more or less. */
const LEAST_OF_MOST: Told = [18, 17, 25, 24];
const LEAST = JSON.parse(readFileSync('test/settle/truth/told-before.json', 'utf8')) as Readonly<
  Record<string, Told>
>;

function leastOf(name: string, run: Run): readonly number[] {
  const [asked, read, askedOfMore, readOfMore] = LEAST[name] ?? LEAST_OF_MOST;
  return run === 'GET alone' ? [asked, read] : [askedOfMore, readOfMore];
}

/** Tests that what is settled of these behaviours is true. */
export function describeTruth(isAsked: (behaviour: Behaviour, run: Run) => boolean): void {
  const rows = BEHAVIOURS.flatMap((behaviour) =>
    RUNS.filter((run) => isAsked(behaviour, run)).map((run) => ({ behaviour, run })),
  );

  describe('settle, of a service that', () => {
    test.concurrent.each(rows.map((row) => [row.behaviour.name, row.run, row] as const))(
      '%s, by %s and its recording: settles nothing wrong, and tells as much as before',
      async (name, run, { behaviour }) => {
        const { report, sent, read } = await askService(behaviour, run);
        const [least = 0, leastRead = 0] = leastOf(name, run);
        const failed = [
          ...failuresIn(behaviour, report, least),
          ...failuresIn(behaviour, await read(ofOneAccount(sent)), leastRead),
        ];
        expect(failed).toEqual([]);
      },
    );
  });
}

/** The wrong verdicts, and all that is open if too little is told. */
function failuresIn(behaviour: Behaviour, report: SettleReport, least: number) {
  const told = toldRightly(behaviour, report);
  const open = report.verdicts.filter(({ decision }) => !told.includes(decision));
  const untold = open.map(({ decision, reason }) => `${decision}: ${reason}`);
  return [...wrongVerdicts(behaviour, report), ...(told.length < least ? untold : [])];
}
