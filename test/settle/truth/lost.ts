import type { Interference } from '../../support/billing-service.js';
import { askService, wrongVerdicts } from './ask-service.js';
import { BEHAVIOURS, type Behaviour } from './behaviours.js';

/** The ways in which a response is lost. */
const LOSSES: Readonly<Record<string, Interference>> = {
  'a 502': (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
  'a closed connection': (response) => response.destroy(),
  'half a body': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"measurements":[{"id":'),
  'an error page': (response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'),
};

/** Services whose two halves differ, so that one half alone would settle something wrong. */
const SERVICES = [
  'the plain service',
  'takes limit= as absent and refuses cursor=',
  'takes cursor= as absent and refuses limit=',
  'refuses a limit of 0 and clamps 1001',
  'rounds a limit up',
  'trims names',
];

/** More requests than a run sends: 93, some of them again. */
const MAX_POSITIONS = 96;

/**
 * One lost response per row: which, how, and of which service. The plain service loses each in two
 * ways, the others every second one in one way: all ways are the same kind of evidence.
 */
const ROWS = SERVICES.flatMap((name, service) =>
  BEHAVIOURS.filter((one) => one.name === name).flatMap((behaviour) =>
    Object.keys(LOSSES).flatMap((loss, way) =>
      Array.from({ length: MAX_POSITIONS }, (_, at) => ({
        behaviour,
        loss,
        way,
        position: at + 1,
      })).filter(({ position }) =>
        service === 0
          ? (position + way) % 2 === 0
          : (position + service) % 2 === 0 && way === Math.floor(position / 2) % 4,
      ),
    ),
  ),
);

type Row = (typeof ROWS)[number];

/** Tests that what is settled is true although a response is lost. */
export function describeLost(isAsked: (row: Row) => boolean): void {
  const rows = ROWS.filter(isAsked);
  describe('settle, of which a response is lost,', () => {
    test.concurrent.each(
      rows.map((row) => [row.loss, row.position, row.behaviour.name, row] as const),
    )(
      '%s for request %d, settles nothing wrong of a service that %s',
      async (_loss, _position, _name, { behaviour, loss, position }) => {
        const interfere = losing(loss, position);
        const { report } = await askService(behaviour, 'scratch records', { interfere });
        expect(wrongVerdicts(behaviour, report)).toEqual([]);
        if (report.requests >= position) expect(report.lost).toBe(1);
      },
    );

    test.each(Object.keys(LOSSES).filter((loss) => loss !== 'an error page'))(
      '%s each time that a limit of 0 is sent, could not check the limits',
      async (loss) => {
        const interfere: Interference = (response, write, asked, number) => {
          if (asked.query.get('limit') !== '0') return write();
          LOSSES[loss]?.(response, write, asked, number);
        };
        const [behaviour] = BEHAVIOURS as readonly [Behaviour];
        const { report } = await askService(behaviour, 'GET alone', { interfere });
        const verdicts = report.verdicts.filter(({ verdict }) => verdict === 'settled');
        expect(wrongVerdicts(behaviour, report)).toEqual([]);
        expect(verdicts.map(({ decision }) => decision)).not.toContain('limit-out-of-bounds');
        expect(verdicts.map(({ decision }) => decision)).toContain('invalid-request-status');
        expect([report.lost > 1, report.brokenOff]).toEqual([true, undefined]);
      },
    );
  });
}

function losing(loss: string, position: number): Interference {
  return (response, write, asked, number) => {
    if (number === position) LOSSES[loss]?.(response, write, asked, number);
    else write();
  };
}
