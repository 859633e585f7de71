import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A bug that a developer could make in code that concerns money, as an edit of one file. */
export interface Bug {
  readonly id: string
  readonly area: string
  /** From the root of the clone. */
  readonly file: string
  /** Exact text, which occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Which money is harmed, and how. */
  readonly harm: string
  /** Whether a test fails because of it. Absent until recorded. */
  readonly isRed?: boolean
  readonly firstRedTest?: TestName
}

export interface TestName {
  /** From the root of the clone. */
  readonly file: string
  readonly title: string
}

const LIST = join(import.meta.dirname, 'bugs.json')

export function readBugs(): Bug[] {
  return JSON.parse(readFileSync(LIST, 'utf8'))
}

/**
 * Records what the tests did with a bug. Reads the list again, because somebody may have edited it
 * meanwhile.
 */
export function recordBug({ id }: Bug, firstRedTest: TestName | undefined): void {
  const bugs = readBugs().map((bug) => (bug.id === id ? withRecord(bug, firstRedTest) : bug))
  writeFileSync(LIST, `${JSON.stringify(bugs, undefined, 2)}\n`)
}

function withRecord(bug: Bug, firstRedTest: TestName | undefined): Bug {
  const { isRed: _, firstRedTest: __, ...bugWithoutRecord } = bug
  if (!firstRedTest) return { ...bugWithoutRecord, isRed: false }
  return { ...bugWithoutRecord, isRed: true, firstRedTest }
}

/**
 * Why a planted bug cannot be made: the text that it replaces is not in its file exactly once.
 * Undefined if it is.
 */
export function explainMisfit(root: string, { id, file, find }: Bug): string | undefined {
  const path = join(root, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const occurrences = text.split(find).length - 1
  if (occurrences === 1) return undefined

  const result = occurrences === 0 ? 'text not found' : `text found ${occurrences} times`
  return `${id}: ${result} in ${file}: adapt "find", and "replace" if needed, in scripts/planted/bugs.json`
}

/** Applies the edit, and returns a function that undoes it. */
export function plant(root: string, { file, find, replace }: Bug): () => void {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.split(find).join(replace))
  return () => writeFileSync(path, text)
}
