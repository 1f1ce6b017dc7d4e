import { readFileSync } from 'node:fs';
import { askService, toldRightly, WAYS, type Way, wrongVerdicts } from './ask-service.js';
import { BEHAVIOURS, type Behaviour, PLAIN_TRUTH } from './behaviours.js';

/** What was settled of each behaviour before it was held against the truth: the least. */
const BEFORE = JSON.parse(
  readFileSync(new URL('settled-before.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<Way, string>>>>;

/** What was right only by luck, by decision and the name of the behaviour. */
const LUCK: Readonly<Record<string, RegExp>> = {
  // Whether the upper bound is clamped shows only over more than 1000 rows.
  'limit-out-of-bounds': /^clamps limits, over 37 rows$/,
};

/** The decisions that were told rightly before, and not by luck. */
function leastOf({ name, truth }: Behaviour, way: Way): readonly string[] {
  const right: Readonly<Record<string, unknown>> = { ...PLAIN_TRUTH, ...truth };
  return (BEFORE[name]?.[way] ?? '')
    .split(' ')
    .map((one) => one.split(/=(.*)/s))
    .filter(([decision = '', said]) => String(right[decision] ?? 'none') === said)
    .map(([decision = '']) => decision)
    .filter((decision) => !LUCK[decision]?.test(name));
}

/** Holds what is settled of these behaviours against the truth. */
export function describeTruth(isAsked: (behaviour: Behaviour, way: Way) => boolean): void {
  const rows = BEHAVIOURS.flatMap((behaviour) =>
    WAYS.filter((way) => isAsked(behaviour, way)).map((way) => ({ behaviour, way })),
  );

  describe('settle, of a service that', () => {
    test.each(rows.map((row) => [row.behaviour.name, row.way, row] as const))(
      '%s, by %s: settles nothing wrong, raises no false alarm, and settles what it can',
      async (_name, way, { behaviour }) => {
        const report = await askService(behaviour, way);
        expect(wrongVerdicts(behaviour, report)).toEqual([]);
        expect(toldRightly(behaviour, report)).toEqual(
          expect.arrayContaining([...leastOf(behaviour, way)]),
        );
      },
    );
  });
}
