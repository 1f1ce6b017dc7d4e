console.error(
  'Left out: the slow tests (npm run test:slow) and, unless you changed what they are about, those that start the command, a browser or a compiler (npm run test:processes).',
);
