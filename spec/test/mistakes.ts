import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getLineColLocation } from '@redocly/openapi-core'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { SPEC } from '../build/build.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import type { copySpec, Edit } from './broken.ts'

/** A mistake that an owner of the contract can make, and what the lint says of it. */
interface Mistake {
  readonly what: string
  readonly edits: readonly Edit[]
  readonly file: string
  readonly on: readonly string[]
  readonly says: string
}

/** All mistakes, each of which the lint must report once. */
export const mistakes: readonly Mistake[] = parse(
  readFileSync(join(SPEC, 'test/mistakes.yaml'), 'utf8'),
)

/** Expects that the lint reports a mistake once, at its place. */
export async function expectReportedOnce(
  { edits, file, on, says }: Mistake,
  withBroken: ReturnType<typeof copySpec>,
): Promise<void> {
  await withBroken(edits, async (spec) => {
    const position = positionOf(readFileSync(join(spec, file), 'utf8'), on)
    expect(await listMessages(spec)).toEqual([`${file}:${position} ${says}`])
  })
}

/** What the lint says of a contract, each with its file, line and column. */
export async function listMessages(spec: string): Promise<string[]> {
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
