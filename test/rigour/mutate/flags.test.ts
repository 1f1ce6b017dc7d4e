import { HELP, readFlags, UsageError } from './flags.js';

test('without flags all is tried, as the help says', () => {
  expect(readFlags([])).toMatchObject({ files: [], seed: 1, patienceS: 120, isAgain: false });
  expect(readFlags([])).toMatchObject({ since: undefined, sample: undefined, isRecorded: false });
  expect(HELP).toContain('(default: 1)');
  expect(HELP).toContain('(default: 120)');
});

test('flags are read, a repeatable one as often as it stands', () => {
  const args = '--files src/store --files=src/billing/ --sample 20 --seed 3 --workers 1 --record';
  expect(readFlags(args.split(' '))).toMatchObject({
    files: ['src/store', 'src/billing/'],
    ...{ sample: 20, seed: 3, workers: 1, isRecorded: true },
  });
  expect(readFlags(['--again'])).toMatchObject({ isAgain: true });
  expect(readFlags(['--help'])).toBeUndefined();
});

test.each([
  ['--nosuch 3', "Unknown option '--nosuch'"],
  ['src/store', "Unexpected argument 'src/store'"],
  ['--sample', "Option '--sample <value>' argument missing"],
  ['--sample --seed 3', "Option '--sample' argument is ambiguous"],
  ['--sample 0', "--sample was '0'; expected a whole number above 0."],
  ['--seed 1.5', "--seed was '1.5'; expected a whole number above 0."],
  ['--workers many', "--workers was 'many'; expected a whole number above 0."],
  ['--again=no', "Option '--again' does not take an argument"],
  ['--again --sample 3', '--sample was given with --again; expected one of them.'],
  ['--since nosuch', "--since was 'nosuch'; expected a commit of this repository."],
  ['--files src/nosuch', /^--files was 'src\/nosuch'; expected a file or folder with code /],
  ['--files src/stor', /^--files was 'src\/stor'; expected /],
  ['--files src/client', /^--files was 'src\/client'; expected /],
])('%s is refused', (args, sentence) => {
  const read = () => readFlags(args.split(' '));
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});
