import { useState } from 'preact/hooks';
import type { components } from '../../generated/control.js';
import { asCurl, asFetch } from './copy-as.js';

type HarEntry = components['schemas']['HarEntry'];

/** Copies a request as a call to run again. */
export function Copy({ entry }: { readonly entry: HarEntry }) {
  return (
    <p class="bar">
      <CopyButton label="Copy as curl" text={() => asCurl(entry.request)} />
      <CopyButton label="Copy as fetch" text={() => asFetch(entry.request)} />
    </p>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly text: () => string;
}

/** Copies a text, and says so. */
export function CopyButton({ label, text }: ButtonProps) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(`${label.replace('Copy', 'Copied')}.`);
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span role="status">{copied}</span>
    </>
  );
}
