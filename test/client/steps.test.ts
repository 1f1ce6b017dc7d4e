import { VERBS } from '../../src/mock/client/verbs.js';
import { STEPS } from './verbs.js';

const acts = STEPS.map(([, act]) => String(act)).join('\n');
/** How the steps call the parts that they do not call by their names. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  customers: [String.raw`account\[name\]`],
  stubs: [String.raw`stubs(?:Of\(verbs\))?`],
  // The server has one too.
  journal: ['account.journal', 'server.journal'],
};
const rows = Object.entries(VERBS).flatMap(([part, verbs]) =>
  Object.keys(verbs).flatMap((verb) =>
    (CALLED[part] ?? [part]).map((owner) => [`${part}.${verb}`, owner, verb] as const),
  ),
);

// The steps run in CI, in `parity.ci.test.ts`; stopping the server would be the last of them.
test.each(rows.filter(([name]) => name !== 'server.stop'))(
  '%s has a step in test/client/verbs.ts, called by %s',
  (_name, owner, verb) => expect(acts).toMatch(new RegExp(String.raw`\b${owner}\.${verb}\b`)),
);
