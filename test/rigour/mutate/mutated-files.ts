import { filesBelow } from './sandbox.js';

const ROOMS = /^src\/(accounts|billing|datasets|decisions|http|service|store)\//;

/** These records are written by `npm run generate`. */
const GENERATED = ['src/datasets/generate/pregenerated.ts'];

/** Whether the code of a file is changed. */
export function isMutated(file: string): boolean {
  return ROOMS.test(file) && file.endsWith('.ts') && !GENERATED.includes(file);
}

/** Whether there is code to be changed below a path. */
export function hasMutants(path: string): boolean {
  return filesBelow('src').some((file) => isMutated(file) && isBelow(path, file));
}

/** Whether a file is this one, or in this folder. */
export function isBelow(path: string, file: string): boolean {
  const folder = path.replace(/\/+$/, '');
  return file === folder || file.startsWith(`${folder}/`);
}
