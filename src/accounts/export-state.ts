import type { Collections } from '../billing/account-store.js';
import type { ResourceName } from '../billing/resources.js';
import type { Fixture } from '../datasets/fixture/fixture.js';

/**
 * The records of an account in the format of fixtures.
 *
 * @example
 * const state: AccountState = account.exportState();
 * server.account('another-token').importState(state);
 */
export type AccountState = Pick<Fixture, ResourceName>;

/** Every record of the collections, tombstones included. */
export function exportState(collections: Collections): AccountState {
  return {
    customers: [...collections.customers],
    contracts: [...collections.contracts],
    measurements: [...collections.measurements],
    events: [...collections.events],
  };
}
