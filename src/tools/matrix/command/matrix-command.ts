import { type Command, Option } from 'commander';
import { addFlags, collect, count } from '../../../host/terminal/flags-and-variables.js';
import { SERVER_FLAGS } from './matrix-flags.js';

export function addMatrix(program: Command): void {
  const matrix = program
    .command('matrix')
    .description('run a command such as npm test once under each alternative of each decision')
    .argument('<command...>', 'the command to run, after --')
    .usage('[options] -- <command...>')
    .option(
      '--only <id>',
      'try only this decision, or id=value; with --faults, this operation, fault or operation=fault; repeatable',
      collect,
    )
    .option('--only-touched', 'try only decisions that the baseline touched')
    .option(
      '--faults',
      'inject faults instead: run the command once for each operation that it calls and each fault',
    )
    .option(
      '--no-canary',
      'skip the run that checks whether the command can fail, in which every call gets a 500',
    )
    .addOption(count('--jobs <number>', 'how many runs to do in parallel').default(1))
    .addOption(
      count(
        '--timeout <seconds>',
        'how long a run may take (default: 10 times the baseline, at least 30)',
      ),
    )
    .addOption(
      new Option('--format <format>', 'how to print the report')
        .choices(['text', 'markdown'])
        .default('text'),
    )
    .option('--report <file>', 'write a report in JSON')
    .option('--junit <file>', 'write a report in JUnit XML')
    .option('--accept <file>', 'YAML or JSON list of accepted failures, named as in --only')
    .action(async (command: string[]) => {
      const { runMatrixCommand } = await import('./run-matrix-command.js');
      await runMatrixCommand(matrix, command);
    });
  addFlags(matrix, SERVER_FLAGS);
}
