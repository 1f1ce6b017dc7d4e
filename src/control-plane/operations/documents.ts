import type { ControlOperations } from './control-operation.js';

/** The OpenAPI documents: that of the service under the account's decisions, and the control plane's. */
export const DOCUMENT_OPERATIONS = {
  getDocument(context, { query: { of } }) {
    const decisions = of === 'server' ? context.decisions() : context.account.decisions.inForce;
    return context.specificationFor(decisions).document;
  },
  getControlDocument: ({ document }) => document,
} satisfies Partial<ControlOperations>;
