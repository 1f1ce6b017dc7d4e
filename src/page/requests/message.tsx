import { useState } from 'preact/hooks';
import { count } from '../parts/count.js';

interface MessageProps {
  readonly title: string;
  readonly firstLine: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | undefined;
  /** Why there is no body. */
  readonly comment: string | undefined;
}

/** A request or an answer, formatted or as it was sent. */
export function Message({ title, firstLine, headers, body, comment }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const fields = headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return (
    <section aria-label={title}>
      <div class="bar">
        <h4>{title}</h4>
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw
        </button>
      </div>
      {isRaw ? (
        <pre>{[firstLine, fields, '', body ?? ''].join('\n')}</pre>
      ) : (
        <>
          {headers.length > 0 && (
            <details>
              <summary>{count(headers.length, 'header field')}</summary>
              <pre>{fields}</pre>
            </details>
          )}
          {body !== undefined && <pre>{formatted(body)}</pre>}
        </>
      )}
      {comment !== undefined && <p class="faint">{comment}</p>}
    </section>
  );
}

function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
