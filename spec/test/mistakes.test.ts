import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getLineColLocation } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { SPEC } from '../build/build.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import { copySpec, type Edit } from './broken.ts'

interface Mistake {
  readonly what: string
  readonly edits: readonly Edit[]
  readonly file: string
  readonly on: readonly string[]
  readonly says: string
}

const mistakes: readonly Mistake[] = parse(readFileSync(join(SPEC, 'test/mistakes.yaml'), 'utf8'))
const withBroken = copySpec()

it('finds no problem in the unchanged contract', async () => {
  expect(await messagesOf(SPEC)).toEqual([])
})

it.each(mistakes)('reports once that $what', async ({ edits, file, on, says }) => {
  await withBroken(edits, async (spec) => {
    const position = positionOf(readFileSync(join(spec, file), 'utf8'), on)
    expect(await messagesOf(spec)).toEqual([`${file}:${position} ${says}`])
  })
})

it('reports two mistakes with the same message', async () => {
  const edits = [
    { file: 'paths/keys.yaml', text: '        description: The key and its owner.\n', to: '' },
    { file: 'paths/users.yaml', text: '        description: The users.\n', to: '' },
  ]
  await withBroken(edits, async (spec) => {
    const says = '"200" lacks the field "description"; add it.'
    expect(await messagesOf(spec)).toEqual([
      expect.stringMatching(`^paths/keys.yaml:.* ${says}$`),
      expect.stringMatching(`^paths/users.yaml:.* ${says}$`),
    ])
  })
})

it('reports a field that is missing while another one is misplaced', async () => {
  const indented =
    /^ {6}content:\n {8}application.json:\n {10}schema: (.*CheckKeyRequest \})\n {10}examples:\n {12}(.*)\n {12}(.*)/
  const edits = [
    {
      file: 'paths/keys.yaml',
      pattern: indented.source,
      to: '    content:\n      application/json:\n        schema: $1\n        examples:\n          $2\n          $3',
    },
    { file: 'paths/users.yaml', text: '        description: The users.\n', to: '' },
  ]
  await withBroken(edits, async (spec) => {
    expect(await messagesOf(spec)).toEqual([
      expect.stringContaining('"content" is not a field here; indent it below "requestBody".'),
      expect.stringContaining('"200" lacks the field "description"; add it.'),
    ])
  })
})

async function messagesOf(spec: string): Promise<string[]> {
  const { problems } = await lintSpec(spec)
  return problems.map(({ message, location: [first] }) => {
    if (!first || !('start' in first)) return message
    const { source, start } = getLineColLocation(first)
    return `${relative(spec, source.absoluteRef)}:${start.line}:${start.col} ${message}`
  })
}

/** The line and column of the last part of a text, each part after the one before. */
function positionOf(text: string, parts: readonly string[]): string {
  let index = -1
  for (const part of parts) {
    index = text.indexOf(part, index + 1)
    if (index < 0) throw new Error(`the file has no "${part}" there`)
  }
  const lines = text.slice(0, index).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
