import { type FunctionComponent, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BehaviourView } from './behaviour/behaviour-view.js';
import { DecisionsView } from './behaviour/decisions-view.js';
import { NonDefaultSettings } from './behaviour/non-default-settings.js';
import { type AccountViewProps, useBehaviour, type ViewProps } from './behaviour/use-behaviour.js';
import {
  adoptTokenOfFragment,
  controlToken,
  keepControlToken,
  NO_ACCOUNT,
  SERVICE_URL,
  UnreachableError,
} from './connection/call.js';
import { type Connection, SILENCE_MS } from './connection/follow-requests.js';
import { useMock } from './connection/use-mock.js';
import { Header } from './header.js';
import { Help } from './help.js';
import { Button, TextField } from './parts/controls.js';
import { Form } from './parts/form.js';
import {
  forgetViews,
  go,
  hrefBackTo,
  hrefOf,
  isAddressed,
  useFocusOfView,
  useRoute,
  useScrollPosition,
} from './parts/route.js';
import { moveFromAnywhere } from './parts/table.js';
import { RecordsView } from './records/records-view.js';
import { FirstRequest } from './requests/first-request.js';
import { RequestsView } from './requests/requests-view.js';
import { UndoNotice } from './undo-notice.js';

interface View {
  readonly title: string;
  readonly Content?: FunctionComponent<ViewProps>;
  /** Takes the place of `Content` in a view of one account. */
  readonly OfAccount?: FunctionComponent<AccountViewProps>;
}

/** The views, by the first part of the address. */
const VIEWS: Readonly<Record<string, View>> = {
  requests: { title: 'Requests', Content: RequestsView },
  behaviour: { title: 'Behaviour', OfAccount: BehaviourView },
  decisions: { title: 'Decisions', OfAccount: DecisionsView },
  records: { title: 'Records', OfAccount: RecordsView },
};

function App() {
  const route = useRoute();
  const [first = '', owner = '', opened = ''] = route;
  const current = Object.hasOwn(VIEWS, first) ? first : 'requests';
  const { title, Content, OfAccount } = VIEWS[current] ?? {};
  // The account may switch by itself only while the plain list of requests is shown, where nobody
  // loses their place.
  const mock = useMock(current !== 'requests' || opened !== '');
  const { connection, accounts } = mock;
  const { account } = accounts;
  const isRefused = connection === 'refused';
  const lost = LOST[connection];
  const behaviour = useBehaviour(isRefused ? undefined : accounts.open?.id);
  const { failed } = accounts;
  useEffect(() => {
    const failures = failed > 0 ? `✗ ${failed} failed · ` : '';
    document.title = `${failures}${title} · usage-billing-mock`;
  }, [title, failed]);
  useScrollPosition(current);
  useFocusOfView(current, MAIN);
  useEffect(() => {
    if (!['', NO_ACCOUNT, accounts.addressed].includes(owner)) accounts.choose(owner);
  }, [route]);
  useEffect(() => {
    const { addressed } = accounts;
    if (owner === addressed || owner === NO_ACCOUNT || !isAddressed(route)) return;
    // What the address opens belongs to the account that it names.
    const below = owner === '' ? route.slice(2) : [];
    go([current, addressed, ...below], { replaces: true });
  }, [route, accounts.addressed]);
  useEffect(forgetViews, [account?.id, accounts.follows]);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as Element;
      // From a search field, the arrow leads to the rows that were found.
      const isTyped =
        target.closest(TEXT) && !(target.matches(SEARCH) && event.key === 'ArrowDown');
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') help.current?.showModal();
      const view = Object.keys(VIEWS)[Number(event.key) - 1];
      if (view) location.assign(hrefBackTo(view));
      if (event.key === '/') focusOn(SEARCH, event);
      if (event.key === 'u') focusOn('.done button', event);
      moveFromAnywhere(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button class="skip" onClick={() => document.getElementById(MAIN)?.focus()}>
        Skip to the view
      </Button>
      <Header {...{ mock, current }} views={VIEWS} onHelp={() => help.current?.showModal()} />
      <main id={MAIN} tabIndex={-1}>
        {isRefused ? (
          <TokenForm mock={mock} />
        ) : (
          <>
            <div role="alert">
              {lost && (
                <p class="note">
                  {lost} Until this page reconnects, it shows the last known state.
                </p>
              )}
            </div>
            <div class={lost ? 'stale' : ''}>
              <UndoNotice mock={mock} onChange={behaviour.reload} />
              <NonDefaultSettings {...{ behaviour, mock }} />
              {accounts.state === 'gone' && (
                <p class="note" role="status">
                  The account {accounts.nameOf(accounts.chosen)} is gone: it was closed and none of
                  its requests is kept, or the mock restarted.{' '}
                  <Button onClick={() => accounts.leave()}>Show the latest account</Button>
                </p>
              )}
              {Content && <Content {...{ mock, behaviour, route }} />}
              {OfAccount && accounts.open && (
                <OfAccount
                  key={accounts.open.id}
                  {...{ mock, behaviour, route }}
                  account={accounts.open}
                />
              )}
              {OfAccount && accounts.state === 'closed' && (
                <p class="empty">
                  The account {account?.name} was closed: only its{' '}
                  <a href={hrefOf('requests', account?.id)}>requests</a> are kept.
                </p>
              )}
              {OfAccount && accounts.state === 'loading' && <p class="empty">Loading…</p>}
              {OfAccount && accounts.state === 'none' && <FirstRequest />}
            </div>
          </>
        )}
      </main>
      <Help dialog={help} account={accounts.open?.id} />
    </>
  );
}

/** The id of the element with the view, which may have the focus itself. */
const MAIN = 'main';

/** What a page says that is no longer in touch with the mock. */
const LOST: Readonly<Partial<Record<Connection, string>>> = {
  lost: `${new UnreachableError().message} Start the mock again.`,
  silent: `Nothing has come from the mock at ${SERVICE_URL.href} for ${SILENCE_MS / 1_000} s. It may be paused, as at a breakpoint, a proxy may hold its events back, or the connection to it is cut.`,
};

const SEARCH = 'main input[type="search"]';

/** Fields in which letters and digits have their own effect. */
const TEXT = 'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select';

function TokenForm({ mock }: Pick<ViewProps, 'mock'>) {
  const [token, setToken] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const refused =
    controlToken() === undefined
      ? []
      : [{ pointer: '/token', words: 'the one in this tab was refused.' }];
  const submit = () => {
    keepControlToken(token);
    mock.reconnect();
  };
  return (
    <Form class="panel" onSubmit={submit} mistakes={refused}>
      <h2>Control token</h2>
      <p>
        The mock refused the page. If it has a control token, enter it: the value of{' '}
        <code>--control-token</code>, or the token printed at the start. It stays in this tab.
      </p>
      <TextField
        label="Token"
        name="/token"
        title="the control token"
        type="password"
        autoComplete="off"
        ref={input}
        required
        value={token}
        onValue={setToken}
      />{' '}
      <button type="submit">Use it</button>
      <p class="faint">{mock.refusal}</p>
    </Form>
  );
}

function focusOn(selector: string, event: KeyboardEvent): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) event.preventDefault();
  element?.closest('details')?.setAttribute('open', '');
  element?.focus();
}

adoptTokenOfFragment();
const root = document.getElementById('app');
if (root) render(<App />, root);
