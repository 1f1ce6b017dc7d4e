import type { ControlOperations } from './control-operation.js';

/** The OpenAPI documents: that of the service under the account's decisions, and the control plane's. */
export const DOCUMENT_OPERATIONS = {
  getDocument: ({ account, specificationFor }) =>
    specificationFor(account.decisions.inForce).document,
  getControlDocument: ({ document }) => document,
} satisfies Partial<ControlOperations>;
