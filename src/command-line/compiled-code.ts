import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';

/** CommonJS files that are compiled once for many starts. */
export interface CompiledCode {
  /** Loads a file and returns its exports; so are files that it requires by a relative path. */
  load(path: string): unknown;
  /** Writes what has been compiled so far, including functions that were called for the first time. */
  keep(): void;
}

/** What was loaded, and which of it is still to be written. */
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
 * Keeps the code that V8 compiles from the files in the folder. The folder belongs beside the files,
 * so that only those who can change the code can write there; where it cannot be written, every start
 * compiles again.
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
 * The compiled code of exactly this source, undamaged. V8 checks only its own version and the source's
 * length, and damaged code crashes the process.
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
  // It still exists if the disk was full, or the name taken: each start would leave one more.
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
