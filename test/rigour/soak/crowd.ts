import { hash } from '../../../src/core/store/hash.js';
import { CONTROL_ACTIONS } from './control-actions.js';
import { FAULT_ACTIONS } from './fault-actions.js';
import { type Action, SERVICE_ACTIONS } from './service-actions.js';
import { type Surroundings, Tenant, WrongResponse } from './tenant.js';

const ACTIONS = [...SERVICE_ACTIONS, ...CONTROL_ACTIONS, ...FAULT_ACTIONS];
const WEIGHT = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Tenants that act at the same time, each with one call after the other. */
export class Crowd {
  readonly ended: Promise<unknown>;
  readonly #wrong: string[];
  #isOver = false;

  constructor(
    surroundings: Surroundings,
    { rate, seed }: { rate: number; seed: number },
    wrong: string[],
  ) {
    this.#wrong = wrong;
    // Each gets a call every few tenths of a second, so that none becomes idle.
    const size = Math.max(2, Math.min(80, Math.round(rate / 4)));
    const tenants = Array.from({ length: size }, (_, nth) => {
      let drawn = 0;
      return new Tenant(surroundings, nth, () => {
        drawn += 1;
        return hash('soak', seed, nth, drawn) / 2 ** 32;
      });
    });
    this.ended = Promise.all(tenants.map((tenant) => this.#act(tenant)));
  }

  end(): void {
    this.#isOver = true;
  }

  async #act(tenant: Tenant): Promise<void> {
    while (!this.#isOver) {
      const act = actionAt(tenant.random() * WEIGHT);
      try {
        await act(tenant);
      } catch (thrown) {
        const text =
          thrown instanceof WrongResponse ? thrown.message : String((thrown as Error).stack);
        this.#wrong.push(`${act.name}: ${text}`);
        // The model no longer matches the account.
        tenant.renew();
      }
    }
  }
}

function actionAt(place: number): Action {
  let left = place;
  for (const [weight, act] of ACTIONS) {
    left -= weight;
    if (left < 0) return act;
  }
  throw new Error('The place is beyond the weights of all actions.');
}
