/** Why a file cannot be read, and what to do if that is known; without a final full stop. */
export function whyUnreadable(error: unknown): string {
  return whyOf(UNREADABLE, error);
}

/** Why a file cannot be written, and what to do if that is known; without a final full stop. */
export function whyUnwritable(error: unknown): string {
  return whyOf(UNWRITABLE, error);
}

function whyOf(reasons: Readonly<Record<string, string>>, error: unknown): string {
  const { code = '', message } = error as Error & { readonly code?: string };
  return reasons[code] ?? message;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENXIO: 'it is a pipe or a device; name a regular file',
  EACCES: 'permission denied; give this user read access',
  EISDIR: 'it is a folder; name a file in it',
  ENOENT: 'it does not exist; check the path',
  ENOTDIR: 'it does not exist; check the path',
};

const IN_THE_WAY = 'Use another path, or remove it';

const UNWRITABLE: Readonly<Record<string, string>> = {
  ELOOP: `it is a link. ${IN_THE_WAY}`,
  EISDIR: `it is a folder. ${IN_THE_WAY}`,
  ENXIO: `it is not a regular file. ${IN_THE_WAY}`,
  ENOENT: 'its folder does not exist. Create the folder, or use another path',
  ENOTDIR: 'its folder does not exist. Create the folder, or use another path',
  EACCES: 'permission denied. Use another path',
  EPERM: 'permission denied. Use another path',
  EROFS: 'its folder is read-only. Use another path',
  ENOSPC: 'the disk is full. Free some space, or use another path',
};
