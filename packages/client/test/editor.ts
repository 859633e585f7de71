import { fileURLToPath } from 'node:url'
import ts from 'typescript-5'

/** The language service of an editor with open programs. */
export interface Editor {
  /** The error messages of a program. */
  errorsOf(program: string): string[]
  /** The hover documentation of the last name of `expression`, without the signature. */
  hover(program: string, expression: string): string
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  types: ['node'],
  // Our own sources import each other by their file names.
  allowImportingTsExtensions: true,
  noEmit: true,
}

/** TypeScript as editors run it. Programs import the package by its name. */
export function openInEditor(programs: readonly string[]): Editor {
  const files = programs.map((_, index) => fileURLToPath(new URL(`open${index}.ts`, import.meta.url)))
  const fileOf = (program: string) => files[programs.indexOf(program)] ?? ''
  const read = (file: string) => programs[files.indexOf(file)] ?? ts.sys.readFile(file)
  const service = ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => ts.ScriptSnapshot.fromString(read(file) ?? ''),
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    directoryExists: ts.sys.directoryExists,
    readFile: read,
    // Peer dependencies resolve only from the real path of a package.
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  })
  return {
    errorsOf(program) {
      const file = fileOf(program)
      const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
    hover(program, expression) {
      const last = program.indexOf(expression) + expression.length - 1
      return ts.displayPartsToString(service.getQuickInfoAtPosition(fileOf(program), last)?.documentation)
    },
  }
}
