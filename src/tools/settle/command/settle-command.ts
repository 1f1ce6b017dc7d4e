import { type Command, Option } from 'commander';
import {
  collect,
  count,
  SERVICE_TOKEN_VARIABLE,
} from '../../../host/terminal/flags-and-variables.js';

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
  command
    .option('--target <url>', 'the base URL of the service to ask')
    .option(
      '--token-env <name>',
      `the environment variable that contains the token (default: ${SERVICE_TOKEN_VARIABLE})`,
    )
    .option('--customer <id>', 'the id of a customer to look up; may be repeated', collect)
    .option('--only <decision>', 'only this decision; may be repeated', collect)
    .option('--rate <number>', 'requests a second (default: 5)', numberOf)
    .addOption(
      count('--max-requests <number>', 'maximum number of requests to send (default: 100)'),
    )
    .addOption(count('--timeout <seconds>', 'how long a request may take (default: 30)'))
    .option('--dry-run', 'print the requests without sending them')
    .option(
      '--allow-writes',
      'also delete the scratch records, and send DELETE and POST calls with made-up ids and refs',
    )
    .option('--scratch-contract <id>', 'a contract that may be deleted; may be repeated', collect)
    .option('--scratch-ref <ref>', 'a ref of events that may be deleted; may be repeated', collect)
    .option(
      '--har <file>',
      'read a HAR recording instead of asking a service; may be repeated',
      collect,
    )
    .option('--base-path <path>', 'the base path of the recorded service')
    .option('--out <file>', 'write the settled values as YAML for --decisions')
    .option('--report <file>', 'write a report in JSON')
    .option('--junit <file>', 'write a report in JUnit XML')
    .option('--check <file>', 'compare with the decisions in this file; exit with 1 if any differs')
    .option(
      '--accept <decision>',
      'accept that no value describes the service; may be repeated',
      collect,
    )
    // Accepted here, so that it can be refused with a reason.
    .addOption(new Option('--token [value]').hideHelp());
}

/** Parses a number; returns other text unchanged, so that the options' check refuses it. */
function numberOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
