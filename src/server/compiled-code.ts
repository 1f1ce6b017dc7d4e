import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { writeWholeFile } from './write-whole-file.js';

/** Late enough that the code for the first requests is kept as well. */
const KEPT_AFTER_MS = 1_000;

/**
 * Loads a CommonJS file of the package with the code that V8 compiled in an earlier start, and keeps
 * what it compiles in this one, unless NODE_DISABLE_COMPILE_CACHE is set.
 */
export function loadCompiled(path: string): unknown {
  const code = createCompiledCode(join(dirname(path), 'compiled'));
  const load = process.env.NODE_DISABLE_COMPILE_CACHE ? createRequire(path) : code.load;
  const loaded = load(path);
  setTimeout(() => {
    code.keep();
    // V8 may expect the records of a listing to live long, and then free them late (bench/README.md).
    // Not set earlier, because V8 rejects code that was kept under other flags.
    setFlagsFromString('--no-allocation-site-pretenuring');
  }, KEPT_AFTER_MS).unref();
  return loaded;
}

/** CommonJS files that are compiled once for many starts. */
export interface CompiledCode {
  /** Loads a file, with those that it requires by paths with `./`, and returns its exports. */
  load(path: string): unknown;
  /** Writes what has been compiled so far, including functions that were called for the first time. */
  keep(): void;
}

/**
 * Caches in a folder the code that V8 compiles from files. Put the folder beside the files, so that
 * only those who can change the code can write there. If it is not writable, nothing is cached.
 */
export function createCompiledCode(folder: string): CompiledCode {
  const modules = new Map<string, { exports: unknown }>();
  const unkept: (() => void)[] = [];

  function load(path: string): unknown {
    const known = modules.get(path);
    if (known) return known.exports;
    const { script, keep } = compile(path, folder);
    if (keep) unkept.push(keep);
    const requireOthers = createRequire(path);
    const module = { exports: {} };
    modules.set(path, module);
    script.runInThisContext()(
      module.exports,
      (name: string) =>
        name.startsWith('./') ? load(join(dirname(path), name)) : requireOthers(name),
      module,
      path,
      dirname(path),
    );
    return module.exports;
  }

  return {
    load: (path) => load(resolve(path)),
    keep() {
      const [main] = modules.keys();
      if (unkept.length === 0 || main === undefined) return;
      for (const keep of unkept.splice(0)) unlessFailing(keep);
      unlessFailing(() => dropUnused(folder, dirname(main)));
    },
  };
}

/** What Node wraps a CommonJS module in. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

/** Compiles a file; unless the code came from the cache, `keep` puts it there. */
function compile(path: string, folder: string): { script: Script; keep?: () => void } {
  const source = readFileSync(path);
  const keptPath = join(folder, basename(path) + KEPT_BY);
  const cachedData = readKept(keptPath, source);
  const script = new Script(`${HEAD}${source}\n})`, {
    filename: path,
    columnOffset: -HEAD.length,
    ...(cachedData && { cachedData }),
  });
  if (cachedData && !script.cachedDataRejected) return { script };
  const keep = () => {
    const compiled = script.createCachedData();
    mkdirSync(folder, { recursive: true });
    writeWholeFile(keptPath, Buffer.concat([digestOf(source, compiled), compiled]));
  };
  return { script, keep };
}

/** The end of the names of cached files that this Node can use. */
const KEPT_BY = `-${process.version}-${process.arch}`;

/** Removes cached code of files that are gone, and of other versions of Node or architectures. */
function dropUnused(folder: string, files: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(files, name.slice(0, -KEPT_BY.length));
    const isUsed = name.endsWith(KEPT_BY) && existsSync(file);
    // Another start may be writing a file whose name begins with a dot.
    if (!isUsed && !name.startsWith('.')) unlessFailing(() => rmSync(join(folder, name)));
  }
}

/**
 * Reads the compiled code of exactly this source, if undamaged. V8 checks only its version, its
 * flags and the source's length, and damaged code crashes the process.
 */
function readKept(path: string, source: Buffer): Buffer | undefined {
  const kept = unlessFailing(() => readFileSync(path));
  if (!kept) return undefined;
  const compiled = kept.subarray(DIGEST_BYTES);
  return digestOf(source, compiled).equals(kept.subarray(0, DIGEST_BYTES)) ? compiled : undefined;
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
