import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Source } from '@redocly/openapi-core'
import { parse, YAMLParseError } from 'yaml'

/** The value of a YAML file, and its text. */
export interface YamlFile<T> {
  readonly value: T
  readonly source: Source
}

/** Reads a YAML file with its text, for messages with lines. Throws an error with file and line. */
export function readYaml<T>(file: string): YamlFile<T> {
  const text = readFileSync(file, 'utf8')
  const last = lastRead.get(file)
  const value = last?.text === text ? last.value : parsed(file, text)
  lastRead.set(file, { text, value })
  return { value: value as T, source: new Source(file, text) }
}

/**
 * Cached, since several rules read the same files and parsing took a quarter of the time. Do not
 * modify the result.
 */
const lastRead = new Map<string, { readonly text: string; readonly value: unknown }>()

function parsed(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${relative(process.cwd(), file)}:${line ?? 1}: ${message}`, { cause })
  }
}
