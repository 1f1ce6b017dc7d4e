import { PAGES, textOf } from '../support/pages.js';
import { run } from '../support/programs.js';

/** What the mock no longer has, as the pages and `--help` once named it. */
const GONE = [
  'ulimit -n',
  'control call, 64 MB',
  '64 MB for that of a control call',
  'stands for too much',
  'a slash within a value is sent as %2F',
  'rotate-bytes',
  'rotateBytes',
  'envoy',
  'markFailed',
  '/account/failure',
  'Import records',
  'run out of file descriptors',
];

test.each(GONE)("no page, and no line of --help, says '%s'", async (words) => {
  const { stdout } = await run(process.execPath, ['dist/cli.cjs', '--help']);
  const texts = [
    ['--help', stdout] as const,
    ...PAGES.map((page) => [page, textOf(page)] as const),
  ];
  const naming = texts.filter(([, text]) =>
    text.replaceAll(/\s+/g, ' ').toLowerCase().includes(words.toLowerCase()),
  );
  expect(naming.map(([name]) => name).filter((name) => name !== 'CHANGELOG.md')).toEqual([]);
});
