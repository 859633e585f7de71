import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'

/** A YAML file of spec/ with the places of its nodes. */
export type SourceFile = ReturnType<typeof parseFile>

/** The value of a YAML file, and its name in the folder of the contract. */
export interface YamlFile<T> {
  readonly value: T
  readonly file: string
}

/** Reads a YAML file of the folder. Do not modify the value: several rules read it. */
export function readYaml<T>(spec: string, file: string): YamlFile<T> {
  return { value: openFile(spec, file).value() as T, file }
}

/**
 * Reads and parses a file of the contract. Returns the same object as before if its text has not
 * changed, so that callers can keep by that object what they compute from it.
 */
export function openFile(spec: string, name: string): SourceFile {
  const path = join(spec, name)
  const text = readText(spec, name)
  const lastFile = lastOpened.get(path)
  if (lastFile?.text === text) return lastFile

  const file = parseFile(name, text)
  lastOpened.set(path, file)
  return file
}

/** Reads the text of a file of the contract. */
export function readText(spec: string, name: string): string {
  return readFileSync(join(spec, name), 'utf8')
}

/** Kept, since several rules read the same files, and `dev` checks after each change of one. */
const lastOpened = new Map<string, SourceFile>()

/** Parses the text of a YAML file. Syntax errors do not throw: they are in `document`. */
function parseFile(name: string, text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: true })
  let value: { readonly json: unknown } | undefined
  return {
    name,
    text,
    /** Finds the line and column of an offset in the text. */
    lines,
    document,
    /** The JSON of the file. Throws if an alias has no anchor. */
    value(): unknown {
      // `contract/parse` limits what aliases write out. The limit of the parser counts their uses, however small.
      value ??= { json: document.toJS({ maxAliasCount: -1 }) }
      return value.json
    },
  }
}

/** The files that the two root files refer to. */
const REFERRED_FILES = ['parameters.yaml', 'responses.yaml', '{paths,schemas,examples}/*.yaml']
const WORKFLOWS = 'workflows/*.yaml'
/** The files beside the contract. */
const OTHER_FILES = ['facts.yaml', 'open-questions.yaml', 'behaviour/*.yaml', WORKFLOWS]

/** The names of the files that make up the contract, without those beside it. */
export function contractFiles(spec: string): string[] {
  return ['openapi.yaml', 'guide.yaml', ...partFiles(spec)]
}

/** The names of the files that the two roots refer to. */
export function partFiles(spec: string): string[] {
  return findFiles(spec, REFERRED_FILES)
}

/** The names of the Arazzo workflows. */
export function workflowFiles(spec: string): string[] {
  return findFiles(spec, [WORKFLOWS])
}

/** The names of all YAML files that people write. */
export function allFiles(spec: string): string[] {
  return [...contractFiles(spec), ...findFiles(spec, OTHER_FILES)]
}

/** The names of the files of the folder that match patterns, sorted. */
function findFiles(spec: string, patterns: readonly string[]): string[] {
  const names = globSync([...patterns], { cwd: spec })
  return names.map((name) => name.replaceAll('\\', '/')).sort()
}
