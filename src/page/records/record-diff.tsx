import { call } from '../connection/call.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord } from './collections.js';

interface DiffProps {
  readonly account: string;
  readonly url: string;
  /** Changes when the record may have been changed. */
  readonly version: string;
  readonly record: AnyRecord;
}

/** What of a record is not as the dataset has it, member by member. */
export function RecordDiff({ account, url, version, record }: DiffProps) {
  const load = () => call<AnyRecord>(url, { account, query: { of: 'dataset' } });
  const { value: before } = useLoaded(load, `${url} ${version}`, { keeps: true });
  if (!before) return null;
  const members = [...new Set([...Object.keys(before), ...Object.keys(record)])].map(
    (name) => [name, JSON.stringify(before[name]), JSON.stringify(record[name])] as const,
  );
  return (
    <dl class="diff" aria-label="Changed against the dataset">
      {members
        .filter(([, old, now]) => old !== now)
        .map(([name, old, now]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {old !== undefined && <del>{old}</del>} {now !== undefined && <ins>{now}</ins>}
            </dd>
          </div>
        ))}
    </dl>
  );
}
