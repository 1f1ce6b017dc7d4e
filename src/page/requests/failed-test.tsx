import { useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { partsOf } from '../parts/format.js';
import { hrefOf } from '../parts/route.js';
import { callOf, statusOf } from './request-table.js';

interface FailedProps extends Pick<ListedAccount, 'name' | 'failure' | 'failedAfter'> {
  /** The requests of its account, newest first. */
  readonly requests: readonly StreamedRequest[];
}

/** Shows why a test failed, and the last refused request before that, or else the last request. */
export function FailedTest({ name, failure = '', failedAfter = 0, requests }: FailedProps) {
  const before = requests.filter(({ id }) => id <= failedAfter);
  const about = before.find(({ status = 500 }) => status >= 400) ?? before[0];
  const [isWhole, setWhole] = useState(false);
  const [title, file] = partsOf(name);
  const isLong = failure.length > 800 || failure.split('\n').length > 12;
  return (
    <section class="panel failed" aria-label="Failed test">
      <p>
        <b>This test failed:</b> {title} <span class="faint">{file}</span>
      </p>
      {failure !== '' && <pre class={isWhole ? '' : 'cut'}>{failure}</pre>}
      {about && (
        <p class="bar">
          {(about.status ?? 500) < 400 ? 'Last request:' : 'Last refused request:'}
          {statusOf(about)}
          <a href={hrefOf('requests', about.account, addressOf(about))}>{callOf(about)}</a>
        </p>
      )}
      {isLong && (
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show the whole message'}
        </Button>
      )}
    </section>
  );
}
