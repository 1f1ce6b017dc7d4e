import { type FunctionComponent, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BehaviourView } from './behaviour/behaviour-view.js';
import { NonDefaultSettings } from './behaviour/non-default-settings.js';
import { type AccountViewProps, useBehaviour, type ViewProps } from './behaviour/use-behaviour.js';
import {
  adoptTokenOfFragment,
  controlToken,
  keepControlToken,
  NO_ACCOUNT,
  UnreachableError,
} from './connection/call.js';
import { useMock } from './connection/use-mock.js';
import { CoverageView } from './coverage/coverage-view.js';
import { Header } from './header.js';
import { Form, TextField, useEntered } from './parts/controls.js';
import { forgetViews, go, useRoute } from './parts/route.js';
import { RecordsView } from './records/records-view.js';
import { ReferenceView } from './reference/reference-view.js';
import { FirstRequest } from './requests/first-request.js';
import { RequestsView } from './requests/requests-view.js';
import { UsageView } from './usage/usage-view.js';

interface View {
  readonly title: string;
  readonly Content?: FunctionComponent<ViewProps>;
  /** Instead, if the view is of one account. */
  readonly OfAccount?: FunctionComponent<AccountViewProps>;
}

/** The views by the fragment of the address. */
const VIEWS: Readonly<Record<string, View>> = {
  requests: { title: 'Requests', Content: RequestsView },
  behaviour: { title: 'Behaviour', OfAccount: BehaviourView },
  records: { title: 'Records', OfAccount: RecordsView },
  usage: { title: 'Usage', OfAccount: UsageView },
  coverage: { title: 'Coverage', Content: CoverageView },
  api: { title: 'API', Content: ReferenceView },
};

/** The page. */
function App() {
  const mock = useMock();
  const { connection, accounts } = mock;
  const { account } = accounts;
  const isRefused = connection === 'refused';
  const isLost = connection === 'lost';
  const behaviour = useBehaviour(isRefused ? undefined : account?.id);
  const route = useRoute();
  const [first = '', owner = '', opened = ''] = route;
  const current = Object.hasOwn(VIEWS, first) ? first : 'requests';
  const { title, Content, OfAccount } = VIEWS[current] ?? {};
  // Only under a list of requests that nobody reads closer is it no loss to see another account.
  accounts.holds = current !== 'requests' || opened !== '';
  useEffect(() => {
    document.title = `${title} · usage-billing-mock`;
  }, [title]);
  useEffect(() => {
    if (owner !== '' && owner !== NO_ACCOUNT && owner !== account?.id) accounts.choose(owner);
  }, [route]);
  useEffect(() => {
    const { addressed } = accounts;
    if (owner === addressed || owner === NO_ACCOUNT) return;
    // What the address names below the account of another is not this one's.
    const below = owner === '' ? route.slice(2) : [];
    go([current, addressed, ...below], { replaces: true });
  }, [route, accounts.addressed]);
  useEffect(forgetViews, [account?.id]);
  useEffect(() => {
    document.addEventListener('keydown', searchBySlash);
    return () => document.removeEventListener('keydown', searchBySlash);
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <Header mock={mock} views={VIEWS} current={current} />
      <main id="main" tabIndex={-1}>
        {isRefused ? (
          <TokenForm mock={mock} />
        ) : (
          <>
            <div role="alert">
              {isLost && (
                <p class="note">
                  {new UnreachableError().message} Start the mock again; until this page reconnects,
                  it shows the last known state.
                </p>
              )}
            </div>
            <div class={isLost ? 'stale' : ''}>
              <NonDefaultSettings behaviour={behaviour} />
              {Content && <Content {...{ mock, behaviour, route }} />}
              {OfAccount && account && (
                <OfAccount key={account.id} {...{ mock, behaviour, route, account }} />
              )}
              {OfAccount && !account && connection !== 'connecting' && <FirstRequest />}
            </div>
          </>
        )}
      </main>
    </>
  );
}

/** Asks for the control token, which this tab keeps. */
function TokenForm({ mock }: Pick<ViewProps, 'mock'>) {
  const token = useEntered('control token', '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = () => {
    keepControlToken(token.value);
    mock.reconnect();
  };
  return (
    <Form class="panel" onSubmit={submit}>
      <h2>Control token</h2>
      <p>
        This mock requires the value of <code>--control-token</code>, or the token printed at the
        start. The token stays in this tab.
      </p>
      {controlToken() !== undefined && <p class="error">The token in this tab was refused.</p>}
      <TextField label="Token" type="password" autoComplete="off" ref={input} required {...token} />{' '}
      <button type="submit">Use it</button>
      <p class="faint">{mock.refusal}</p>
    </Form>
  );
}

/** The key `/` leads to the search of the view, unless something is typed. */
function searchBySlash(event: KeyboardEvent): void {
  if (event.key !== '/' || (event.target as Element).closest('input, textarea, select')) return;
  const search = document.querySelector<HTMLElement>('main input[type="search"]');
  if (search) event.preventDefault();
  search?.focus();
}

adoptTokenOfFragment();
const root = document.getElementById('app');
if (root) render(<App />, root);
