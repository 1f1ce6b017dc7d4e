import { Errors } from '../parts/errors.js';
import type { AccountView } from '../view.js';
import { AccountPanel } from './account-panel.js';
import { ClockPanel } from './clock-panel.js';
import { DecisionsPanel } from './decisions-panel.js';
import { FaultsPanel } from './faults-panel.js';
import { LatencyPanel } from './latency-panel.js';
import { SnapshotsPanel } from './snapshots-panel.js';

/** How the account is answered, and how to change that. */
export function SituationView({ account, situation }: AccountView) {
  const { facts, error, reload } = situation;
  const { id } = account;
  return (
    <>
      <h2 class="hidden">Situation</h2>
      <Errors sentences={[error]} />
      {facts && (
        <div class="panels">
          <FaultsPanel account={id} faults={facts.faults} onChange={reload} />
          <div class="column">
            <LatencyPanel account={id} latency={facts.latency} onChange={reload} />
            <ClockPanel account={id} clock={facts.clock} onChange={reload} />
            <SnapshotsPanel account={id} onChange={reload} />
          </div>
          <AccountPanel account={account} onChange={reload} />
          <DecisionsPanel account={id} decisions={facts.decisions} onChange={reload} />
        </div>
      )}
    </>
  );
}
