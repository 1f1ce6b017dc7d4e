import type { ViewProps } from '../behaviour/use-behaviour.js';
import { NO_ACCOUNT } from '../connection/call.js';
import { isNamed } from '../connection/request-log.js';
import { count } from '../parts/format.js';
import { go } from '../parts/route.js';
import { FailedTest } from './failed-test.js';
import { useLane } from './lane.js';
import { RequestBar } from './request-bar.js';
import { RequestDetail } from './request-detail.js';
import { RequestList } from './request-list.js';
import { useShownRequests } from './use-shown-requests.js';

export function RequestsView({ mock, behaviour, route }: ViewProps) {
  const [, owner = '', opened = ''] = route;
  const { log, accounts } = mock;
  const { account } = accounts;
  const lane = useLane(mock);
  const shown = useShownRequests(log, lane);
  const request = log.list(owner).find((one) => isNamed(opened, one));
  return (
    <>
      <h2 class="hidden">Requests</h2>
      {account?.warning !== undefined && <p class="note">{account.warning}</p>}
      {account?.test?.outcome === 'failed' && (
        <FailedTest
          key={account.id}
          test={account.test}
          requests={log.readingOf(account.id) === 'loaded' ? log.list(account.id) : []}
        />
      )}
      <RequestBar {...{ mock, lane, shown }} />
      {log.dropped > 0 && (
        <p class="note">
          {count(log.dropped, 'request')} came too fast to show. Those of this account are loaded
          once requests slow down.
        </p>
      )}
      <div class={opened === '' ? '' : 'split'}>
        <RequestList {...{ mock, behaviour, lane, shown, owner, request }} />
        {opened !== '' && (
          <RequestDetail
            key={`${owner} ${opened}`}
            {...{ owner, opened, request, behaviour }}
            later={log.list(owner)}
            undo={mock.undo}
            name={accounts.nameOf(owner === NO_ACCOUNT ? undefined : owner)}
            onClose={() => go(['requests'])}
          />
        )}
      </div>
    </>
  );
}
