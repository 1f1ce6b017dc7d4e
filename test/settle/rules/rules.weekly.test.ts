import { describeOnly, describeRules } from './describe-rules.js';

describeRules(() => true);
describeOnly(() => true);
