/** The error of an address that cannot be listened on, in a sentence that says what to do. */
export function cannotListen(
  error: unknown,
  { host, port }: { host: string; port: number },
): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentence = `Cannot listen on ${host}:${port}: ${REASONS[code ?? ''] ?? message}`;
  return Object.assign(new Error(sentence, { cause: error }), { code });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'the port is in use. Choose another with --port (port in the library), or 0 for a free one.',
  EACCES: 'permission denied. Choose a port above 1023 with --port (port in the library).',
  EADDRNOTAVAIL:
    'this machine does not have the address. Choose another with --host (host in the library).',
  ENOTFOUND: 'unknown host name. Choose another with --host (host in the library).',
};
