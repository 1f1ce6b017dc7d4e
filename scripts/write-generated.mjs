import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a generated file and prints its name, unless it has this text already.
 * @param {string} file
 * @param {string} text
 */
export function writeGenerated(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
  console.log(`Wrote ${file}`);
}

/** A part between two comments, of YAML or Markdown; the first one names what it is generated from. */
const PART =
  /(?<=^( *)(?:#|<!--) Generated from (.+) by `?npm run generate`?.*\n)[\s\S]*?(?=^ *(?:#|<!--) End of the generated part\.)/gm;

/**
 * Rewrites those parts of a file that are generated from a source, indented as their comments are.
 * @param {string} file
 * @param {string} source
 * @param {(part: string, nth: number) => string} write Returns the new text of the nth part.
 */
export function writeParts(file, source, write) {
  let count = 0;
  const text = readFileSync(file, 'utf8').replace(PART, (part, indent, from) => {
    if (from !== source) return part;
    count += 1;
    return write(part, count - 1).replace(/^(?=.)/gm, indent);
  });
  if (count === 0) throw new Error(`${file} has no part that is generated from ${source}.`);
  writeGenerated(file, text);
}
