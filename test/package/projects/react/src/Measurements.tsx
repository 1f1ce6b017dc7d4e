import { useEffect, useState } from 'react';
import { listMeasurements, type PageOfMeasurements } from './billing.ts';

export function Measurements() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [page, setPage] = useState<PageOfMeasurements>();
  const [error, setError] = useState<string>();
  const cursor = cursors.at(-1);

  useEffect(() => {
    const leaving = new AbortController();
    listMeasurements(cursor, leaving.signal).then(setPage, (reason: Error) => {
      if (!leaving.signal.aborted) setError(reason.message);
    });
    return () => leaving.abort();
  }, [cursor]);

  if (error) return <p role="alert">{error}</p>;
  if (!page) return <p>Loading…</p>;
  const { measurements, total, nextCursor } = page;
  return (
    <>
      <table>
        <caption>{total} measurements</caption>
        <tbody>
          {measurements.map(({ id, value }) => (
            <tr key={id}>
              <td>
                {id}: {value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" disabled={!cursor} onClick={() => setCursors(cursors.slice(0, -1))}>
        Previous
      </button>
      <button
        type="button"
        disabled={!nextCursor}
        onClick={() => nextCursor && setCursors([...cursors, nextCursor])}
      >
        Next
      </button>
    </>
  );
}
