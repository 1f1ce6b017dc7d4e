import { IS_CHANGED, isInTurn } from '../truth/ask-service.js';
import { describeOnly, describeRules } from './describe-rules.js';
import { SERVICES } from './services.js';

// The first service of each rule; `rules.weekly.test.ts` has them all.
const isFirst = ({ rule }: { readonly rule: string }, at: number) =>
  SERVICES.findIndex((other) => other.rule === rule) === at;

describeRules((service, run) => {
  const at = SERVICES.indexOf(service);
  return IS_CHANGED ? isInTurn(at, run) : isFirst(service, at);
});
// One decision that pages show, and one that refusals show, too.
describeOnly((decision) => ['total-counts', 'fractional-limit'].includes(decision));
