import { Errors } from '../parts/use-action.js';
import { AccountPanel } from './account-panel.js';
import { ClockPanel } from './clock-panel.js';
import { FaultsPanel } from './faults-panel.js';
import { LatencyPanel } from './latency-panel.js';
import { ScenariosPanel } from './scenarios-panel.js';
import { SnapshotsPanel } from './snapshots-panel.js';
import { StubsPanel } from './stubs-panel.js';
import type { AccountViewProps, ChangeAll } from './use-behaviour.js';

export function BehaviourView({ account, behaviour, mock }: AccountViewProps) {
  const { value: facts, error, reload } = behaviour;
  const props = facts && { account: account.id, facts, onChange: reload };
  const changeAll: ChangeAll = (words, method, path, body) =>
    mock.undo.change(
      `${words} ${account.name}.`,
      account.id,
      { method, path, body },
      Math.max(account.requests, mock.log.lastOf(account.id)),
    );
  return (
    <>
      <h2 class="hidden">Behaviour</h2>
      <Errors sentences={[error]} />
      {props && (
        <div class="panels">
          <div class="column double">
            <FaultsPanel {...props} requests={mock.log.list(account.id)} />
            <AccountPanel {...{ account, changeAll }} onChange={reload} />
          </div>
          <div class="column">
            <LatencyPanel {...props} />
            <ClockPanel {...props} />
            <SnapshotsPanel {...props} changeAll={changeAll} />
          </div>
          <div class="column">
            <ScenariosPanel {...props} changeAll={changeAll} />
            <StubsPanel {...props} />
          </div>
        </div>
      )}
    </>
  );
}
