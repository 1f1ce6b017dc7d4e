import type { Command } from 'commander';
import {
  addFlags,
  FLAG_NAMES,
  type FlagName,
  optionsOf,
} from '../../host/terminal/flags-and-variables.js';

/** What `exec` decides itself: the port is free, and the command's output is the only one. */
const OWN: readonly FlagName[] = ['port', 'logLevel', 'logFormat', 'readyFile', 'endWith'];

const EXEC_FLAGS = FLAG_NAMES.filter((name) => !OWN.includes(name));

export function addExec(program: Command): void {
  const exec = program
    .command('exec')
    .description('start a mock, and run a command such as pytest that calls it')
    .argument('<command...>', 'the command to run, after --')
    .usage('[options] -- <command...>')
    .action(async (command: [string, ...string[]]) => {
      const { runExecCommand } = await import('./run-exec-command.js');
      await runExecCommand(optionsOf(exec, EXEC_FLAGS), command);
    });
  addFlags(exec, EXEC_FLAGS);
}
