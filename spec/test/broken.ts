import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll } from 'vitest'
import { SPEC } from '../build/build.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.turbo'])

/** An edit: a file, a text and its replacement. */
export type Edit = readonly [file: string, from: string | RegExp, to: string]

/** Calls `use` with an edited copy of the contract, then reverts the edits. */
type WithBroken = <T>(edits: readonly Edit[], use: (spec: string) => Promise<T>) => Promise<T>

/** Creates one copy per test file, since copying the contract and loading its rules takes longer than linting. */
export function copySpec(): WithBroken {
  const spec = mkdtempSync(join(tmpdir(), 'spec-'))
  cpSync(SPEC, spec, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) })
  symlinkSync(join(SPEC, 'node_modules'), join(spec, 'node_modules'))
  afterAll(() => rmSync(spec, { recursive: true, force: true }))
  return async (edits, use) => {
    try {
      for (const edit of edits) apply(spec, edit)
      return await use(spec)
    } finally {
      for (const [file] of edits) cpSync(join(SPEC, file), join(spec, file))
      rmSync(join(spec, 'dist'), { recursive: true, force: true })
    }
  }
}

function apply(spec: string, [file, from, to]: Edit): void {
  const path = join(spec, file)
  const text = readFileSync(path, 'utf8')
  const edited = text.replace(from, to)
  if (edited === text) throw new Error(`${file} has no ${from}`)
  writeFileSync(path, edited)
}
