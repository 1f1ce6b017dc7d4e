import { useState } from 'preact/hooks';
import type { components } from '../../generated/control.js';
import { asCurl, asFetch } from './copy-as.js';

type HarEntry = components['schemas']['HarEntry'];

/** Copies a request as a call to run again. */
export function Copy({ entry }: { readonly entry: HarEntry }) {
  const [copied, setCopied] = useState('');
  const copy = async (name: string, text: string) => {
    await navigator.clipboard.writeText(text);
    setCopied(`Copied as ${name}.`);
  };
  return (
    <p class="bar">
      <button type="button" onClick={() => copy('curl', asCurl(entry.request))}>
        Copy as curl
      </button>
      <button type="button" onClick={() => copy('fetch', asFetch(entry.request))}>
        Copy as fetch
      </button>
      <span role="status">{copied}</span>
    </p>
  );
}
