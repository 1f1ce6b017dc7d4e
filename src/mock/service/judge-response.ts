import type { Step } from './exchange.js';

/** Validates what the operation returned; a response that does not match the document becomes a 500. */
export const judgeResponse: Step = ({ result, route, specification, method }) => {
  if (!result || !route || !specification) return;
  specification.judge.response({ template: route.template, method }, result.body);
};
