import { useEffect, useState } from 'preact/hooks';
import type { AccountList } from './connection/account-list.js';
import type { Connection } from './connection/follow-requests.js';
import type { Mock } from './connection/use-mock.js';
import { Button, Check, Choice, type Option, useSettled } from './parts/controls.js';
import { count, partsOf } from './parts/format.js';
import { go, hrefBackTo, hrefOf } from './parts/route.js';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost',
  refused: 'Token required',
};

interface HeaderProps {
  readonly mock: Mock;
  readonly views: Readonly<Record<string, { readonly title: string }>>;
  readonly current: string;
}

/** The views, the account that is looked at, and whether what is shown is live. */
export function Header({ mock, views, current }: HeaderProps) {
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
              title="Show the account of the next failed test"
              onClick={() => {
                const chosen = mock.accounts.chooseFailed();
                // Whether the mock answers is said beside it.
                void chosen.then(() => go(['requests'])).catch(() => undefined);
              }}
            >
              {count(mock.accounts.failed, 'test')} failed
              <span class="hidden">: show the next</span>
            </Button>
          )}
        </span>
        {connection !== 'refused' && <AccountChoice {...{ mock, current }} />}
        <span role="status" class={`connection ${connection}`}>
          {CONNECTIONS[connection]}
        </span>
      </div>
    </header>
  );
}

function AccountChoice({ mock: { accounts, log }, current }: Omit<HeaderProps, 'views'>) {
  const { shown, account, total } = accounts;
  const options = shown.map(({ id, name, requests, failure }): Option => {
    const [title, before] = partsOf(name);
    const refused = log.refused(id);
    const of = refused > 0 ? `${refused} of ${requests} refused` : count(requests, 'request');
    const outcome = failure === undefined ? of : 'failed';
    return [id, [title, outcome, before].filter(Boolean).join(' · ')];
  });
  return (
    <>
      {total > shown.length && <AccountSearch accounts={accounts} />}
      <Choice
        label="Account"
        value={account?.id ?? ''}
        options={options.length > 0 ? options : [['', 'none yet']]}
        onValue={(id) => {
          accounts.choose(id);
          // What the address names is of another.
          go([current, id]);
        }}
      />
      <Check
        label="Follow"
        title="Follow the account of the latest request while the list of requests is shown"
        value={accounts.follows}
        onValue={(follows) => accounts.follow(follows)}
      />
    </>
  );
}

/** Finds an account among more than are listed. */
function AccountSearch({ accounts }: { readonly accounts: AccountList }) {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed);
  useEffect(() => accounts.search(text), [accounts, text]);
  return (
    <input
      type="search"
      size={14}
      aria-label="Search accounts"
      placeholder={`Search ${count(accounts.total, 'account')}`}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
