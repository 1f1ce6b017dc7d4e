import type { Connection } from './connection/follow-requests.js';
import type { Mock } from './connection/use-mock.js';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost',
};

interface HeaderProps {
  readonly mock: Mock;
  readonly views: readonly { readonly id: string; readonly title: string }[];
  readonly current: string;
}

/** The views, the account that is looked at, and whether what is shown is live. */
export function Header({ mock, views, current }: HeaderProps) {
  return (
    <header>
      <h1>usage-billing-mock</h1>
      <nav aria-label="Views">
        {views.map(({ id, title }) => (
          <a key={id} href={`#${id}`} {...(id === current && { 'aria-current': 'page' as const })}>
            {title}
          </a>
        ))}
      </nav>
      <div class="account">
        <label>
          Account{' '}
          <select
            value={mock.account?.id ?? ''}
            onChange={({ currentTarget }) => mock.choose(currentTarget.value)}
          >
            {mock.accounts.length === 0 && <option value="">none yet</option>}
            {mock.accounts.map(({ id, name, requests }) => (
              <option key={id} value={id}>
                {name} · {requests} requests
              </option>
            ))}
          </select>
        </label>
        <label title="Look at the account of the last request">
          <input
            type="checkbox"
            checked={mock.follows}
            onChange={({ currentTarget }) => mock.follow(currentTarget.checked)}
          />{' '}
          Follow
        </label>
        <span role="status" class={`connection ${mock.connection}`}>
          {CONNECTIONS[mock.connection]}
        </span>
      </div>
    </header>
  );
}
