import { AccountPicker } from './account-picker.js';
import type { Connection } from './connection/follow-requests.js';
import type { Mock } from './connection/use-mock.js';
import { Button, Check } from './parts/controls.js';
import { count } from './parts/format.js';
import { go, hrefBackTo, hrefOf } from './parts/route.js';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  silent: 'No response',
  lost: 'Connection lost',
  refused: 'Token required',
};

interface HeaderProps {
  readonly mock: Mock;
  readonly views: Readonly<Record<string, { readonly title: string }>>;
  readonly current: string;
  /** Opens the keyboard shortcuts and the document. */
  readonly onHelp: () => void;
}

export function Header({ mock, views, current, onHelp }: HeaderProps) {
  const { connection } = mock;
  return (
    <header>
      <h1>usage-billing-mock</h1>
      <nav aria-label="Views">
        {Object.entries(views).map(([id, { title }]) => (
          <a
            key={id}
            href={id === current ? hrefOf(id) : hrefBackTo(id)}
            {...(id === current && { 'aria-current': 'page' as const })}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="account">
        <span role="status">
          {mock.accounts.failed > 0 && (
            <Button
              class="chip bad"
              title="Show the next failed test"
              onClick={() => {
                const chosen = mock.accounts.chooseFailed();
                // If the mock does not answer, the state of the connection says so.
                void chosen.then(() => go(['requests'])).catch(() => undefined);
              }}
            >
              {count(mock.accounts.failed, 'test')} failed
              <span class="hidden">: show the next</span>
            </Button>
          )}
        </span>
        {connection !== 'refused' && (
          <>
            <AccountPicker mock={mock} view={current} />
            <Check
              label={mock.accounts.isPaused ? 'Follow (paused)' : 'Follow'}
              title="Switch to the account of the latest request, or the test that began last; paused while a request or another view is open"
              value={mock.accounts.follows}
              onValue={(follows) => mock.accounts.follow(follows)}
            />
          </>
        )}
        <span role="status" class={`connection ${connection}`}>
          {CONNECTIONS[connection]}
        </span>
        <Button
          aria-label="Help"
          title="Keyboard shortcuts and the OpenAPI document (?)"
          onClick={onHelp}
        >
          ?
        </Button>
      </div>
    </header>
  );
}
