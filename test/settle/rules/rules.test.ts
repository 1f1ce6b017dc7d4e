import { describeOnly, describeRules } from './describe-rules.js';
import { SERVICES } from './services.js';

// The first of each rule: the others run by `npm run test:slow`.
const isFirst = ({ rule }: { readonly rule: string }, at: number) =>
  SERVICES.findIndex((other) => other.rule === rule) === at;

describeRules((service) => isFirst(service, SERVICES.indexOf(service)));
// One that is read from pages, and one that is read from refusals too.
describeOnly((decision) => ['total-counts', 'fractional-limit'].includes(decision));
