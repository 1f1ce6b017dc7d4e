import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Certificate } from '../doors/express/listener.js';
import { OptionError } from '../errors/option-error.js';
import type { CompleteOptions } from '../options/complete-options.js';
import { labelOf } from '../options/option-table.js';
import { whyUnreadable } from '../values/file-error.js';

type FileOption = 'tlsCert' | 'tlsKey';

/** The certificate of the options, with its key, if https is asked for. Throws if they do not fit. */
export function readCertificate(options: CompleteOptions): Certificate | undefined {
  const { tlsCert, tlsKey } = options;
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const cert = textOf('tlsCert', tlsCert);
  const key = textOf('tlsKey', tlsKey);
  const certificate = certificateOf(cert, tlsCert);
  if (!certificate.checkPrivateKey(keyOf(key, tlsKey))) {
    throw new OptionError(
      `The private key in '${tlsKey}' does not belong to the certificate in '${tlsCert}'; expected a pair. Check ${labelOf('tlsCert')} and ${labelOf('tlsKey')}.`,
    );
  }
  refuseUnusable(cert, key, tlsCert);
  return {
    cert,
    key,
    covers: (host) =>
      (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
  };
}

function textOf(name: FileOption, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OptionError(
      `The file '${file}' for ${labelOf(name)} cannot be read: ${whyUnreadable(error)}.`,
    );
  }
}

function certificateOf(cert: string, file: string): X509Certificate {
  try {
    if (cert.includes('-----BEGIN')) return new X509Certificate(cert);
  } catch {
    // The same refusal.
  }
  throw new OptionError(
    `The file '${file}' for ${labelOf('tlsCert')} has no certificate; expected one in PEM, which begins with -----BEGIN CERTIFICATE-----.`,
  );
}

function keyOf(key: string, file: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    throw new OptionError(
      key.includes('ENCRYPTED')
        ? `The private key in '${file}' is encrypted; expected one without a passphrase. Remove the passphrase with openssl pkey -in ${file} -out FILE.`
        : `The file '${file}' for ${labelOf('tlsKey')} has no private key; expected one in PEM, which begins with -----BEGIN PRIVATE KEY-----.`,
    );
  }
}

/** What else is wrong, such as a key that is too short, would be found only when it is served. */
function refuseUnusable(cert: string, key: string, file: string): void {
  try {
    process.getBuiltinModule('node:tls').createSecureContext({ cert, key });
  } catch (error) {
    throw new OptionError(
      `The certificate in '${file}' cannot be used: ${(error as Error).message}. Create another.`,
    );
  }
}
