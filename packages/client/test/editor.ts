import { fileURLToPath } from 'node:url'
import ts from 'typescript-api'

/** Where the open file seems to be: this package, by its name, is what was built. */
const file = fileURLToPath(new URL('open.ts', import.meta.url))

/** What an editor says of a program. */
export interface Editor {
  /** Its errors, as text. */
  readonly errors: string[]
  /** What is shown where the pointer rests on the last name of `expression`, without the signature. */
  hover(expression: string): string
}

/** TypeScript as editors run it, with one file open, under the strictest of the usual options. */
export function openInEditor(program: string): Editor {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  }
  const read = (name: string) => (name === file ? program : ts.sys.readFile(name))
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(read(name) ?? ''),
    getCurrentDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    directoryExists: ts.sys.directoryExists,
    readFile: read,
  })
  const diagnostics = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
  return {
    errors: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    hover(expression) {
      const last = program.indexOf(expression) + expression.length - 1
      return ts.displayPartsToString(service.getQuickInfoAtPosition(file, last)?.documentation)
    },
  }
}
