import { type Command, Option } from 'commander';
import { collect, count } from '../../../host/terminal/flags-and-variables.js';
import { SERVICE_TOKEN_VARIABLE } from '../../../host/terminal/service-token.js';

export function addSettle(program: Command): void {
  const command = program
    .command('settle')
    .description('find which value of each decision a service, or a recording of one, follows')
    .allowExcessArguments(false)
    .action(async () => {
      // Loaded here, so that other commands start without it.
      const { runSettleCommand } = await import('./run-settle-command.js');
      await runSettleCommand(command.opts());
    });
  const repeated = (flag: string, words: string) =>
    command.option(flag, `${words}; may be repeated`, collect);
  const tokenWords = 'the environment variable that contains the token';
  command.option('--target <url>', 'the base URL of the service to ask');
  command.option('--token-env <name>', `${tokenWords} (default: ${SERVICE_TOKEN_VARIABLE})`);
  repeated('--customer <id>', 'the id of a customer to look up');
  repeated('--only <decision>', 'only this decision');
  command
    .option('--rate <number>', 'requests a second (default: 5)', numberOf)
    .addOption(
      count('--max-requests <number>', 'maximum number of requests to send (default: 100)'),
    )
    .addOption(count('--timeout <seconds>', 'how long a request may take (default: 30)'))
    .option('--dry-run', 'print the requests without sending them')
    .option(
      '--allow-writes',
      'also delete the scratch records, and send DELETE and POST calls with made-up ids and refs',
    );
  repeated('--scratch-contract <id>', 'a contract that may be deleted');
  repeated('--scratch-ref <ref>', 'a ref of events that may be deleted');
  repeated('--har <file>', 'read a HAR recording instead of asking a service');
  command
    .option('--base-path <path>', 'the base path of the recorded service')
    .option('--out <file>', 'write the settled values as YAML for --decisions')
    .option('--report <file>', 'write a report in JSON')
    .option('--junit <file>', 'write a report in JUnit XML')
    .option('--check <file>', 'compare with the decisions in this file; exit with 1 if any differs')
    // Accepted here, so that it can be refused with a reason.
    .addOption(new Option('--token [value]').hideHelp());
  repeated(
    '--accept <decision>',
    'accept that no value describes the service; or accept an unexplained response, as the report writes it',
  );
}

/** Parses a number; returns other text unchanged, so that the options' check refuses it. */
function numberOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
