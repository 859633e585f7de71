import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { getLineColLocation, type NormalizedProblem } from '@redocly/openapi-core'
import { afterAll } from 'vitest'
import { parse } from 'yaml'
import { SPEC } from '../build/build.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.turbo'])

/** An edit: a file, a text or a pattern in it, and its replacement. */
export interface Edit {
  readonly file: string
  readonly text?: string
  readonly pattern?: string
  readonly to: string
}

interface Mutant {
  readonly what: string
  /** The rule and the file that the lint must report. */
  readonly reports: string
  readonly edits: readonly Edit[]
}

export const mutants: readonly Mutant[] = parse(
  readFileSync(join(SPEC, 'test/mutants.yaml'), 'utf8'),
)

/**
 * Creates one copy per test file, since copying the contract and loading its rules takes longer
 * than linting.
 */
export function copySpec() {
  const spec = mkdtempSync(join(tmpdir(), 'spec-'))
  cpSync(SPEC, spec, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) })
  symlinkSync(join(SPEC, 'node_modules'), join(spec, 'node_modules'))
  afterAll(() => rmSync(spec, { recursive: true, force: true }))

  /** Calls `use` with an edited copy of the contract, then reverts the edits. */
  return async <T>(edits: readonly Edit[], use: (spec: string) => Promise<T>): Promise<T> => {
    try {
      for (const edit of edits) apply(spec, edit)
      return await use(spec)
    } finally {
      for (const { file } of edits) cpSync(join(SPEC, file), join(spec, file))
      rmSync(join(spec, 'dist'), { recursive: true, force: true })
    }
  }
}

function apply(spec: string, { file, text, pattern = '', to }: Edit): void {
  const path = join(spec, file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(text ?? new RegExp(pattern, 'm'), to)
  if (after === before) throw new Error(`${file} has no ${text ?? pattern}`)
  writeFileSync(path, after)
}

type Check = (spec: string) => Promise<{ readonly problems: readonly NormalizedProblem[] }>

/** Lints edited copies of the contract. */
export function createProblemFinder(withBroken: ReturnType<typeof copySpec>) {
  return (edits: readonly Edit[], lint: Check) =>
    withBroken(edits, async (spec) => {
      const { problems } = await lint(spec)
      return problems.map(({ ruleId: rule, location: [first] }) => ({
        rule,
        file: first ? relative(spec, first.source.absoluteRef) : '',
        line: first && 'source' in first ? getLineColLocation(first).start.line : 0,
      }))
    })
}
