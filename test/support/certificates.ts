import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newFolder } from './fixture.js';

/** The files of a self-signed certificate, and of its private key. */
export interface CertificateFiles {
  readonly tlsCert: string;
  readonly tlsKey: string;
}

/** Whether this machine has a program. */
export const hasProgram = (name: string) => spawnSync(name, ['--help']).error === undefined;

/** Runs openssl. */
export function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args);
  if (status !== 0) throw new Error(stderr.toString());
}

/** A path for a new file. */
export function newFile(name: string): string {
  return join(newFolder(), name);
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
