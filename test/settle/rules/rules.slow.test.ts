import { describeRules } from './describe-rules.js';

describeRules(() => true);
