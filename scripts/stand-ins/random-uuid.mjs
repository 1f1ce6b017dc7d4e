/** Like `crypto.randomUUID`, which pages have only over HTTPS or from this machine. */
export function randomUUID() {
  const digit = (/** @type {string} */ known) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(known) ^ (random & (15 >> (Number(known) / 4)))).toString(16);
  };
  return '10000000-1000-4000-8000-100000000000'.replaceAll(/[018]/g, digit);
}
