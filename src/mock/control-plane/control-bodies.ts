import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import type { components } from '../../generated/control.js';
import type { DocumentedExchange, Step } from '../service/exchange.js';
import type { BodyRules } from '../service/read-body.js';
import { bodySchemaOf, collectionOf } from './control-document.js';

/** Small enough to be put in place in one go, while others wait for a fraction of a second. */
const MAX_CONTROL_BODY_BYTES = 4 * 2 ** 20;

/** What to do instead of sending more. */
export const INSTEAD_OF_LARGER =
  'Send it in several requests, put the records into a fixture (--dataset), or call the library where the mock runs.';

export const CONTROL_BODY: BodyRules = {
  maxBytes: MAX_CONTROL_BODY_BYTES,
  insteadOfLarger: INSTEAD_OF_LARGER,
  keepsNumbers: true,
};

type SchemaName = keyof components['schemas'];

/**
 * Bodies, and members of bodies, that the account's verbs judge by more than a schema: by the kind
 * of a fault, by what the account keeps, or in better words.
 */
const JUDGED_BY_VERBS: readonly string[] = [
  ...['DecisionChanges', 'FaultRequest', 'MergePatch', 'State'],
  ...['ClockSetting/frozenAt', 'ClockSetting/advanceMs', 'LatencySetting/latency'],
  'ScenarioChoice/name',
];

/** Checks a body by the schema that the document names for it. */
export function checkBody(checks: Pick<RecordChecks, 'value'>): Step<DocumentedExchange> {
  return ({ called: { route, input } }) => {
    const name = bodySchemaOf(route.operation) as SchemaName | undefined;
    if (!name || input.body === undefined || JUDGED_BY_VERBS.includes(name)) return;
    // A record is judged by its collection.
    if (collectionOf(route.operation)) return;
    const mistakes = checks
      .value(name, input.body)
      .filter(({ path: [member] }) => !JUDGED_BY_VERBS.includes(`${name}/${member}`));
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  };
}
