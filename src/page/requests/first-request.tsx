import { EXAMPLE_TOKEN, fetchFromMock, SERVICE_URL } from '../connection/call.js';
import { Button } from '../parts/controls.js';
import { Pre } from '../parts/format.js';
import { Errors, useAction } from '../parts/use-action.js';
import { CopyButtons } from './copy-request.js';

/** Shown while there is no account. */
export function FirstRequest() {
  const action = useAction();
  const listing = new URL('measurements?limit=2', SERVICE_URL);
  const headers = { Authorization: `Bearer ${EXAMPLE_TOKEN}` };
  const curl = `curl -H 'Authorization: ${headers.Authorization}' '${listing}'`;
  return (
    <section class="panel first" aria-label="The first request">
      <h2>No request yet</h2>
      <p>Send one with any token: it opens an account, and appears here.</p>
      <Pre label="Command">{curl}</Pre>
      <p class="bar">
        <Button onClick={() => action.run(() => fetchFromMock(listing, { headers }))}>
          Send one
        </Button>
        <CopyButtons texts={[['Copy', () => curl]]} />
      </p>
      <Errors sentences={action.errors} />
    </section>
  );
}
