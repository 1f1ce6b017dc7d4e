import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ListedAccount, type Mock, useMock } from './connection/use-mock.js';
import { Header } from './header.js';
import { RecordsView } from './records/records-view.js';
import { ReferenceView } from './reference/reference-view.js';
import { RequestsView } from './requests/requests-view.js';
import { NotDefault } from './situation/not-default.js';
import { SituationView } from './situation/situation-view.js';
import { useSituation } from './situation/use-situation.js';
import { TokenForm } from './token-form.js';
import { UsageView } from './usage/usage-view.js';
import type { AccountView } from './view.js';

/** The views of one account, by the fragment of the address; the first is that of requests. */
const VIEWS: Readonly<
  Record<string, { readonly title: string; readonly view?: FunctionComponent<AccountView> }>
> = {
  requests: { title: 'Requests' },
  situation: { title: 'Situation', view: SituationView },
  records: { title: 'Records', view: RecordsView },
  usage: { title: 'Usage', view: UsageView },
  api: { title: 'API', view: ReferenceView },
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
      {mock.needsToken ? (
        <TokenForm onToken={mock.reconnect} />
      ) : (
        <Account mock={mock} current={current} account={mock.account} />
      )}
    </>
  );
}

interface AccountProps {
  readonly mock: Mock;
  readonly current: string;
  readonly account: ListedAccount | undefined;
}

function Account({ mock, current, account }: AccountProps) {
  const situation = useSituation(account?.id);
  const View = VIEWS[current]?.view;
  return (
    <main id="main" tabIndex={-1}>
      <NotDefault situation={situation} />
      {View === undefined && <RequestsView mock={mock} />}
      {View && account && <View key={account.id} account={account} situation={situation} />}
      {View && !account && (
        <p class="empty">No account is open yet: the first request with a token opens one.</p>
      )}
    </main>
  );
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
