import { blocksOf } from './pages.js';

/** A command that a page shows, and what the page says that it prints. */
export interface ShownCommand {
  /** On one line, where the page continues it on others. */
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks of a page: each follows a `$`, what it prints follows it. */
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

/** Matches output as a page shows it, which cuts it with `…`: within a line, or any number of lines. */
export function asShown(output: string): RegExp {
  const text = output.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const cut = text.replaceAll(/\n…(?=\n|$)/g, '(?:\\n[^]*?)?').replaceAll('…', '[^]*?');
  return new RegExp(`^${cut}$`);
}
