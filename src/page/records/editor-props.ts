import type { Collection } from './collections.js';

/** What the editors of records are given. */
export interface EditorProps {
  readonly account: string;
  readonly path: string;
  readonly collection: Collection;
  readonly id: string;
  /** Changes when the record may have been changed elsewhere. */
  readonly version: string;
  readonly onChange: () => void;
  readonly onClose: () => void;
}
