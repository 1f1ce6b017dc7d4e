import { useLoaded } from '../parts/use-loaded.js';
import type { AnyRecord } from './collections.js';
import { readFromDataset } from './use-record.js';

interface DiffProps {
  readonly account: string;
  readonly url: string;
  readonly version: string;
  readonly record: AnyRecord;
}

/** What differs between a record and that of the dataset. */
export function RecordDiff({ account, url, version, record }: DiffProps) {
  const load = () => readFromDataset(account, url);
  const { value: before } = useLoaded(load, `${url} ${version}`, { keeps: true });
  if (!before) return null;
  const members = [...new Set([...Object.keys(before), ...Object.keys(record)])].map(
    (name) => [name, JSON.stringify(before[name]), JSON.stringify(record[name])] as const,
  );
  return (
    <dl class="diff" aria-label="Changes from the dataset">
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
