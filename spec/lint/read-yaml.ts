import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Source } from '@redocly/openapi-core'
import { parse, YAMLParseError } from 'yaml'

/** A YAML file, and its text for messages that point into it. Throws an error that names file and line. */
export function readYaml<T>(file: string): { value: T; source: Source } {
  const text = readFileSync(file, 'utf8')
  const last = lastRead.get(file)
  const value = last?.text === text ? last.value : parsed(file, text)
  lastRead.set(file, { text, value })
  return { value: value as T, source: new Source(file, text) }
}

/** Several rules read the same files, and to parse them was a quarter of the work. Nobody changes what was read. */
const lastRead = new Map<string, { readonly text: string; readonly value: unknown }>()

function parsed(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined
    const what = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${relative(process.cwd(), file)}:${line ?? 1}: ${what}`, { cause })
  }
}
