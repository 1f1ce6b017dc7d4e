import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ListedAccount } from './connection/account-list.js';
import { NoAnswerError } from './connection/call.js';
import { type Mock, useMock } from './connection/use-mock.js';
import { Header } from './header.js';
import { RecordsView } from './records/records-view.js';
import { ReferenceView } from './reference/reference-view.js';
import { FirstRequest } from './requests/first-request.js';
import { RequestsView } from './requests/requests-view.js';
import { NotDefault } from './situation/not-default.js';
import { SituationView } from './situation/situation-view.js';
import { type Situation, useSituation } from './situation/use-situation.js';
import { TokenForm } from './token-form.js';
import { UsageView } from './usage/usage-view.js';
import type { AccountView } from './view.js';

/** The views by the fragment of the address; those with `ofAccount` show one account. */
const VIEWS: Readonly<
  Record<string, { readonly title: string; readonly ofAccount?: FunctionComponent<AccountView> }>
> = {
  requests: { title: 'Requests' },
  situation: { title: 'Situation', ofAccount: SituationView },
  records: { title: 'Records', ofAccount: RecordsView },
  usage: { title: 'Usage', ofAccount: UsageView },
  api: { title: 'API' },
};

/** The page. */
export function App() {
  const mock = useMock();
  const current = useFragment();
  useEffect(() => {
    document.title = `${VIEWS[current]?.title} · usage-billing-mock`;
  }, [current]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <Header
        mock={mock}
        views={Object.entries(VIEWS).map(([id, { title }]) => ({ id, title }))}
        current={current}
      />
      {mock.connection === 'refused' ? (
        <TokenForm refusal={mock.refusal} onToken={mock.reconnect} />
      ) : (
        <Main mock={mock} current={current} />
      )}
    </>
  );
}

interface MainProps {
  readonly mock: Mock;
  readonly current: string;
}

function Main({ mock, current }: MainProps) {
  const { account } = mock.accounts;
  const situation = useSituation(account?.id);
  const isLost = mock.connection === 'lost';
  return (
    <main id="main" tabIndex={-1}>
      <div role="alert">
        {isLost && (
          <p class="note">
            {new NoAnswerError().message} Start it again; this page reconnects, and shows until then
            what it has.
          </p>
        )}
      </div>
      <div class={isLost ? 'stale' : ''}>
        <NotDefault situation={situation} />
        <View mock={mock} current={current} account={account} situation={situation} />
      </div>
    </main>
  );
}

interface ViewProps extends MainProps {
  readonly account: ListedAccount | undefined;
  readonly situation: Situation;
}

function View({ mock, current, account, situation }: ViewProps) {
  if (current === 'requests') return <RequestsView mock={mock} />;
  if (current === 'api') return <ReferenceView account={account?.id} situation={situation} />;
  const OfAccount = VIEWS[current]?.ofAccount;
  if (account && OfAccount)
    return (
      <OfAccount
        key={account.id}
        account={account}
        situation={situation}
        writes={mock.accounts.writes}
      />
    );
  return mock.connection === 'connecting' ? null : <FirstRequest />;
}

/** The view that the fragment of the address names. */
function useFragment(): string {
  const read = () => {
    const name = location.hash.slice(1);
    return Object.hasOwn(VIEWS, name) ? name : 'requests';
  };
  const [name, setName] = useState(read);
  useEffect(() => {
    const update = () => {
      if (location.hash !== '#main') setName(read());
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return name;
}
