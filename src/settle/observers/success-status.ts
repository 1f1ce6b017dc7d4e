import type { OperationId } from '../../billing/operation.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { callsOf } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { isSuccess } from '../exchange.js';
import type { Observer } from '../observation.js';

/** The values that explain each status of a success, for each operation. */
type Explained = Readonly<Record<number, readonly DecisionValue<'success-status'>[]>>;

const GET: Explained = { 200: [200, 201, 202] };

const EXPLAINED: { readonly [Id in OperationId]: Explained } = {
  getCustomer: GET,
  getCustomerByName: GET,
  listMeasurements: GET,
  deleteContract: { 200: [200, 201], 202: [202] },
  deleteEventsByRefs: { 200: [200], 201: [201], 202: [202] },
};

/** Reads the status of successes (section 4.6). That a GET answers 200 tells nothing. */
export const successStatus: Observer<'success-status'> = {
  wanted: 'a call of deleteEventsByRefs that succeeds',
  needsWrites: true,
  observe: (seen) =>
    Object.entries(EXPLAINED).flatMap(([operationId, explained]) =>
      callsOf(seen, operationId as OperationId)
        .filter((exchange) => isSuccess(exchange))
        .filter(({ answer }) => !(explained === GET && answer.status === 200))
        .map((exchange) => ({
          explainedBy: explained[exchange.answer.status] ?? [],
          evidence: describeExchange(exchange),
        })),
    ),
};
