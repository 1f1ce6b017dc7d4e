import ts from 'typescript';

/** The strict options with which examples are compiled. */
export const STRICT: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

/** Reads each file once, for all programs. */
export const COMPILER_HOST = ts.createCompilerHost(STRICT);
const { getSourceFile } = COMPILER_HOST;
const read = new Map<string, ts.SourceFile | undefined>();
COMPILER_HOST.getSourceFile = (file, ...rest) => {
  if (!read.has(file)) read.set(file, getSourceFile(file, ...rest));
  return read.get(file);
};

/** The compiler's errors in modules that are given by the paths at which they would be. */
export function mistakesIn(
  texts: ReadonlyMap<string, string>,
  options: ts.CompilerOptions = {},
): string[] {
  const modules = new Map([...texts].map(([path, text]) => [path.replaceAll('\\', '/'), text]));
  const host: ts.CompilerHost = {
    ...COMPILER_HOST,
    fileExists: (file) => modules.has(file) || COMPILER_HOST.fileExists(file),
    readFile: (file) => modules.get(file) ?? COMPILER_HOST.readFile(file),
    getSourceFile(file, version, ...rest) {
      const text = modules.get(file);
      return text === undefined
        ? COMPILER_HOST.getSourceFile(file, version, ...rest)
        : ts.createSourceFile(file, text, version);
    },
  };
  const program = ts.createProgram([...modules.keys()], { ...STRICT, ...options }, host);
  // Only those of the modules: what they import is checked with the sources.
  return [...modules.keys()]
    .map((file) => program.getSourceFile(file))
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}
