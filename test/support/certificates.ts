import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of a certificate that signs itself, and of its private key. */
export interface CertificateFiles {
  readonly tlsCert: string;
  readonly tlsKey: string;
}

/** Whether this machine has a program. */
export const hasProgram = (name: string) => spawnSync(name, ['--help']).error === undefined;

const DIRECTORY = mkdtempSync(join(tmpdir(), 'mock-tls-'));

let created = 0;

/** Runs openssl. */
export function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args);
  if (status !== 0) throw new Error(stderr.toString());
}

/** A path for a new file. */
export function newFile(name: string): string {
  created += 1;
  return join(DIRECTORY, `${created}-${name}`);
}

/** Creates a certificate for these names, such as `DNS:localhost`. */
export function createCertificate(...names: readonly string[]): CertificateFiles {
  const [tlsCert, tlsKey] = [newFile('cert.pem'), newFile('key.pem')];
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=mock'],
    ...['-keyout', tlsKey, '-out', tlsCert, '-addext', `subjectAltName=${names.join()}`],
  );
  return { tlsCert, tlsKey };
}
