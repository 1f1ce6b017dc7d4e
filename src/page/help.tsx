import type { Ref } from 'preact';
import { NO_ACCOUNT, send } from './connection/call.js';
import { Button } from './parts/controls.js';
import { download, formatJson } from './parts/format.js';
import { Errors, useAction } from './parts/use-action.js';

const KEYS = [
  ['j or ↓', 'next row'],
  ['k or ↑', 'previous row'],
  ['Home, End', 'first row, last row'],
  ['Enter', 'open the row'],
  ['Esc', 'close the open row'],
  ['1, 2, …', 'the views, from left to right'],
  ['/', 'search; then ↓ goes to the rows'],
  ['u', 'go to Undo'],
  ['?', 'this list'],
] as const;

interface HelpProps {
  readonly dialog: Ref<HTMLDialogElement>;
  /** The id of the account whose decisions the document is under. */
  readonly account: string | undefined;
}

/** The keyboard shortcuts, and the document of the service. */
export function Help({ dialog, account = NO_ACCOUNT }: HelpProps) {
  const action = useAction();
  const save = async () => {
    const document = formatJson(await (await send('/openapi.json', { account })).text());
    download('openapi.json', 'application/json', document);
  };
  return (
    <dialog ref={dialog} aria-label="Help">
      <dl>
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="bar">
        {/* No link: the mock may require a control token. */}
        <Button onClick={() => action.run(save)}>Download the OpenAPI document</Button>
        <code>GET /__control/openapi.json</code>
      </p>
      <Errors sentences={action.errors} />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
