import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { OptionError } from '../../../core/errors/option-error.js';
import { whyUnreadable } from '../../../core/values/file-error.js';
import type { Certificate } from '../../adapters/express/listener.js';
import type { CompleteOptions } from '../../options/complete-options.js';
import { labelOf } from '../../options/option-table.js';
import { readRegularFile } from './read-regular-file.js';

export type CertificateOptions = Pick<CompleteOptions, 'tlsCert' | 'tlsKey'>;

/** Reads the certificate and key that the options name, if any. Throws if Node cannot use them. */
export function readCertificate({ tlsCert, tlsKey }: CertificateOptions): Certificate | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  const [cert, certificate] = usable('tlsCert', tlsCert, (bytes) => {
    createSecureContext({ cert: bytes });
    return [bytes, new X509Certificate(bytes)] as const;
  });
  const key = usable('tlsKey', tlsKey, (bytes) => {
    createSecureContext({ cert, key: bytes });
    return bytes;
  });
  return {
    cert,
    key,
    covers: (host) =>
      (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
  };
}

function usable<T>(name: 'tlsCert' | 'tlsKey', file: string, use: (bytes: Buffer) => T): T {
  try {
    return use(readRegularFile(file));
  } catch (error) {
    throw new OptionError(
      `The file '${file}' for ${labelOf(name)} cannot be used: ${whyUnreadable(error)}.`,
    );
  }
}
