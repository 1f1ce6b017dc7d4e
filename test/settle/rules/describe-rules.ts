import { wrongVerdicts } from '../truth/ask-service.js';
import { askAndRead, RUNS, type Run } from './ask-in-four-ways.js';
import { RULES, SERVICES, type Service } from './services.js';

const MOST_REQUESTS = 100;

/** Holds what is settled of the services of the table against the truth. */
export function describeRules(isAsked: (service: Service, run: Run) => boolean): void {
  const rows = SERVICES.flatMap((service) =>
    RUNS.filter((run) => isAsked(service, run)).map((run) => ({ service, run })),
  );

  describe('settle says no more than it saw', () => {
    test.concurrent.each(
      rows.map((row) => [RULES[row.service.rule], row.service.name, row.run, row] as const),
    )(
      '%s: of a service that %s, by %s and its recording',
      async (_rule, _name, run, { service }) => {
        const { asked, read } = await askAndRead(service, run);
        const wrong = [asked, read].map((report) => wrongVerdicts(service, report));
        expect(wrong).toEqual([[], []]);
        expect(asked.requests).toBeLessThanOrEqual(MOST_REQUESTS);
      },
    );
  });
}
