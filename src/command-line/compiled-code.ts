import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';

/** CommonJS files that are compiled once for many starts. */
export interface CompiledCode {
  /** What the file exports; what it requires by a relative path is loaded in the same way. */
  load(path: string): unknown;
  /** Writes what has been compiled until now, functions that were called for the first time too. */
  keep(): void;
}

/** What was loaded, and what of it has to be written. */
interface Loaded {
  readonly modules: Map<string, { exports: unknown }>;
  readonly unkept: Unkept[];
}

/** A file whose compiled form has to be written. */
interface Unkept {
  readonly path: string;
  readonly source: Buffer;
  readonly script: Script;
}

/**
 * Keeps in the folder what V8 makes of the files. The folder belongs beside the files, so that only
 * those can write there who could as well change the code; where it cannot be written, every start
 * compiles anew.
 */
export function createCompiledCode(folder: string): CompiledCode {
  const loaded: Loaded = { modules: new Map(), unkept: [] };
  return {
    load: (path) => load(resolve(path), folder, loaded),
    keep() {
      for (const one of loaded.unkept.splice(0)) keep(one);
    },
  };
}

function load(path: string, folder: string, loaded: Loaded): unknown {
  const known = loaded.modules.get(path);
  if (known) return known.exports;
  const source = readFileSync(path);
  const keptPath = join(folder, `${basename(path)}-${process.version}-${process.arch}`);
  const cachedData = readKept(keptPath, source);
  const script = new Script(`${HEAD}${source}\n})`, {
    filename: path,
    columnOffset: -HEAD.length,
    ...(cachedData && { cachedData }),
  });
  if (!cachedData || script.cachedDataRejected) {
    loaded.unkept.push({ path: keptPath, source, script });
  }
  const requireOthers = createRequire(path);
  const module = { exports: {} };
  loaded.modules.set(path, module);
  script.runInThisContext()(
    module.exports,
    (name: string) =>
      name.startsWith('./') ? load(join(dirname(path), name), folder, loaded) : requireOthers(name),
    module,
    path,
    dirname(path),
  );
  return module.exports;
}

/** What Node wraps a CommonJS module in. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

/**
 * What was kept of this very source, undamaged. V8 looks at its own version and the source's length
 * alone, and damaged code ends the process.
 */
function readKept(path: string, source: Buffer): Buffer | undefined {
  const kept = unlessFailing(() => readFileSync(path));
  if (!kept) return undefined;
  const compiled = kept.subarray(DIGEST_BYTES);
  return digestOf(source, compiled).equals(kept.subarray(0, DIGEST_BYTES)) ? compiled : undefined;
}

/** Under another name first: others may be starting at this moment. */
function keep({ path, source, script }: Unkept): void {
  const unfinished = `${path}.${process.pid}`;
  unlessFailing(() => {
    const compiled = script.createCachedData();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(unfinished, Buffer.concat([digestOf(source, compiled), compiled]));
    renameSync(unfinished, path);
  });
  // Still there if the disk was full, or the place taken: each start would leave one more.
  unlessFailing(() => rmSync(unfinished, { force: true }));
}

const DIGEST_BYTES = 32;

function digestOf(source: Buffer, compiled: Buffer): Buffer {
  return createHash('sha256').update(source).update(compiled).digest();
}

function unlessFailing<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
