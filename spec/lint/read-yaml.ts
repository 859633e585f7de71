import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Source } from '@redocly/openapi-core'
import { parse, YAMLParseError } from 'yaml'

/** A YAML file, and its text for messages that point into it. Throws an error that names file and line. */
export function readYaml<T>(file: string): { value: T; source: Source } {
  const text = readFileSync(file, 'utf8')
  try {
    return { value: parse(text) as T, source: new Source(file, text) }
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined
    const what = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${relative(process.cwd(), file)}:${line ?? 1}: ${what}`, { cause })
  }
}
