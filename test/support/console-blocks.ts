import { blocksOf } from './pages.js';

/** A command on a page, and the output that the page shows for it. */
export interface ShownCommand {
  /** On one line, even if the page continues it on others. */
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks of a page: each follows a `$`, and its output follows it. */
export function shownCommands(page: string): ShownCommand[] {
  return blocksOf(page, 'console')
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...output] = step
        .trimEnd()
        .replaceAll(/ \\\n +/g, ' ')
        .split('\n');
      return { command, output: output.join('\n') };
    });
}

/** Matches output as a page shows it, where `…` stands for a part of a line or any lines. */
export function asShown(output: string): RegExp {
  const text = output.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const cut = text.replaceAll(/\n…(?=\n|$)/g, '(?:\\n[^]*?)?').replaceAll('…', '[^]*?');
  return new RegExp(`^${cut}$`);
}
