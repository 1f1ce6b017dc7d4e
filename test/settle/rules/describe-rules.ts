import type { DecisionId, SettleReport } from '../../../src/index.js';
import { isNeverAsked } from '../../../src/tools/settle/script/script.js';
import { CUSTOMERS, SCRATCH } from '../../support/billing-records.js';
import type { Recorded } from '../../support/billing-service.js';
import { askService, RUNS, type Run, wrongVerdicts } from '../truth/ask-service.js';
import { RULES, SERVICES, type Service } from './services.js';

const MAX_REQUESTS = 100;

/** Tests that what is settled of the table's services is true. */
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
        const { report: asked, sent, read } = await askService({ rules: service.rules() }, run);
        const recorded = await read();
        const wrong = [asked, recorded].map((report) => wrongVerdicts(service, report));
        expect(wrong).toEqual([[], []]);
        expect(asked.requests).toBeLessThanOrEqual(MAX_REQUESTS);
        expect(asked.brokenOff ?? '').not.toContain('the limit of');
        expect(neighboursIn(sent)).toEqual([]);
        for (const report of [asked, recorded]) expect(personalIn(report, service)).toEqual([]);
        service.report(asked);
      },
    );
  });
}

/** Tests that what is settled of one decision alone is true, for the decisions of each row. */
export function describeOnly(isAsked: (decision: DecisionId) => boolean): void {
  // Asked for one decision, settle looks up no customer, so such a service never shows its other half;
  // on a busy machine it asks again after the two seconds of another.
  const services = SERVICES.filter(
    ({ name }) => !/until a customer is looked up|for two seconds/.test(name),
  );
  const rows = services.flatMap((service) =>
    (Object.keys(service.truth) as DecisionId[])
      .filter((decision) => isAsked(decision) && !isNeverAsked(decision))
      .map((decision) => [decision, service.name, service] as const),
  );

  test.concurrent.each(rows)(
    'settle, asked for %s alone, says no more of a service that %s',
    async (decision, _name, service) => {
      const rules = service.rules();
      const { report, read } = await askService({ rules }, 'scratch records', { only: [decision] });
      const reports = [report, await read()];
      const told = reports.map(({ verdicts }) => verdicts.map((one) => one.decision));
      expect(told).toEqual([[decision], [decision]]);
      expect(reports.map((one) => wrongVerdicts(service, one))).toEqual([[], []]);
    },
  );
}

/** The customers' data that a report shows, in any case, plain or encoded. */
function personalIn(report: SettleReport, { rules }: Service): readonly string[] {
  const { customers = CUSTOMERS } = rules();
  const text = JSON.stringify(report).toLowerCase();
  return customers
    .flatMap(({ id, name, externalId, aliases }) => [id, name, externalId, ...aliases])
    .flatMap((one) => [one, encodeURIComponent(one)])
    .filter((one) => text.includes(one.toLowerCase()));
}

/** 64 random bits in the alphabet of base64. */
const FEWEST_DIFFERENT = 11;

/** The ids and refs that were written, but that a record other than those named might have. */
function neighboursIn(sent: readonly Recorded[]): readonly string[] {
  const named = [...SCRATCH.scratchContracts, ...SCRATCH.scratchRefs];
  const written = sent
    .filter(({ method }) => method !== 'GET')
    .flatMap(({ path, body }) =>
      body === '' ? [path.split('/').at(-1) ?? ''] : (JSON.parse(body).refs as string[]),
    );
  return written
    .filter((one) => !named.includes(one))
    .filter((one) => named.some((known) => distanceOf(one, known) < FEWEST_DIFFERENT));
}

/** How many edits turn one text into the other. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
