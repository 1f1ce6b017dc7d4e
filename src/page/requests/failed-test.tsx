import { useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { hrefOf } from '../parts/route.js';
import { CLASSES, callOf, statusOf } from './request-table.js';

interface FailedProps {
  readonly test: NonNullable<ListedAccount['test']>;
  /** The requests of its account, newest first. */
  readonly requests: readonly StreamedRequest[];
}

/** Shows why a test failed, and the last request before that without success, or else the last. */
export function FailedTest({ test, requests }: FailedProps) {
  const { title, file, message = '' } = test;
  const before = requests.filter(({ id }) => id <= test.requests);
  const about = before.find(({ status = 500 }) => status >= 400) ?? before[0];
  const [isWhole, setWhole] = useState(false);
  const isLong = message.length > 800 || message.split('\n').length > 12;
  return (
    <section class="panel failed" aria-label="Failed test">
      <p>
        <b>This test failed:</b> {title} <span class="faint">{file}</span>
      </p>
      {message !== '' && <pre class={isWhole ? '' : 'cut'}>{message}</pre>}
      {about && (
        <p class="bar">
          {lastWords(about)}
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

function lastWords({ status }: StreamedRequest): string {
  if (status === undefined) return 'Last request without a response:';
  const [, words] = (status >= 400 && CLASSES[String(status)[0] ?? '']) || [];
  return words === undefined ? 'Last request:' : `Last ${words} request:`;
}
