// Installed by `npm run scale-out` alone.
declare module 'autocannon' {
  interface Told {
    non2xx: number;
    errors: number;
    duration: number;
    requests: { total: number };
  }
  const autocannon: (options: object) => Promise<Told>;
  export = autocannon;
}
