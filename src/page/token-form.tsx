import { useEffect, useRef, useState } from 'preact/hooks';
import { controlToken, keepControlToken } from './connection/control-token.js';

interface TokenProps {
  /** Why the mock refuses this tab. */
  readonly refusal: string | undefined;
  readonly onToken: () => void;
}

/** Asks for the control token, which this tab keeps. */
export function TokenForm({ refusal, onToken }: TokenProps) {
  const [token, setToken] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <main id="main" tabIndex={-1}>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          keepControlToken(token);
          onToken();
        }}
      >
        <h2>Control token</h2>
        <p>
          This mock requires the value of <code>--control-token</code>, or the one that was printed
          at its start. It stays in this tab.
        </p>
        {controlToken() !== undefined && <p class="error">The token of this tab was refused.</p>}
        <label>
          Token{' '}
          <input
            type="password"
            autoComplete="off"
            ref={input}
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>{' '}
        <button type="submit">Use it</button>
        <p class="faint">{refusal}</p>
      </form>
    </main>
  );
}
