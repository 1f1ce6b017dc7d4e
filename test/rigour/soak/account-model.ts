import type { World } from './dataset-facts.js';

/** A model of what an account must contain after all that was done in it. */
export class AccountModel {
  readonly #opened: World;
  world: World;
  deletedContracts = new Set<string>();
  deletedRefs = new Set<string>();
  /** Customers that were put, by id, with their names. */
  customers = new Map<string, string>();
  removedCustomers = new Set<string>();
  /** Ids of measurements that were put. */
  measurements = new Set<string>();
  repeatDelete: 'not-found' | 'gone' = 'not-found';
  /** How many requests the service received, and how many of them were cleared from the journal. */
  received = 0;
  cleared = 0;

  constructor(world: World) {
    this.#opened = world;
    this.world = world;
  }

  /** How many measurements there are. */
  get total(): number {
    return this.world.measurements + this.measurements.size;
  }

  /** Returns to the state in which the account opened. */
  reset(): void {
    Object.assign(this, new AccountModel(this.#opened));
  }

  /** Replaces all records with those of a world. */
  replace(world: World): void {
    const { repeatDelete, received, cleared } = this;
    this.reset();
    Object.assign(this, { world, repeatDelete, received, cleared });
  }

  /** Returns a function that restores this state, except for the journal. */
  save(): () => void {
    const { world, received: _received, cleared: _cleared, ...own } = this;
    const saved = structuredClone(own);
    return () => Object.assign(this, structuredClone(saved), { world });
  }
}
