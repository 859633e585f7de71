import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SPEC } from '../build/index.ts'
import { isNode } from '../lint/marks.ts'

const NOT_OPENAPI: ReadonlySet<string> = new Set([
  'facts.yaml',
  'open-questions.yaml',
  'redocly.yaml',
  'redocly.diff.yaml',
])
const yamlFiles = globSync(['*.yaml', 'paths/*.yaml', 'schemas/*.yaml'], { cwd: SPEC })
const files = yamlFiles.filter((file) => !NOT_OPENAPI.has(file))

describe.each(files)('%s', (file) => {
  it('has no line over 120 characters', () => {
    const lines = textOf(file).split('\n')
    expect(lines.filter((line) => line.length > 120)).toEqual([])
  })

  it('begins each operation with what OpenAPI readers expect, ends it with extensions, and shares nothing by aliases', () => {
    const operations = operationsIn(parse(textOf(file)))
    for (const operation of operations) {
      const keys = Object.keys(operation)
      expect(keys.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(keys)
    }
    if (operations.length > 0) expect(textOf(file)).not.toMatch(/[:-] [&*]\w/)
  })
})

const ORDER = [
  'operationId',
  'tags',
  'summary',
  'description',
  'security',
  'parameters',
  'requestBody',
]

function textOf(file: string): string {
  return readFileSync(join(SPEC, file), 'utf8')
}

function rankOf(key: string): number {
  if (key.startsWith('x-')) return ORDER.length + 1
  return ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
}

function operationsIn(value: unknown): object[] {
  if (!isNode(value)) return []
  if ('operationId' in value && 'responses' in value) return [value]
  return Object.values(value).flatMap(operationsIn)
}
