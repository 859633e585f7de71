import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../../src/report/result.ts'
import { type Break, sourceOf, withBreaks } from './breaks.ts'

/** Which of the two reads the broken copy. If both read it, both agree. */
export type Side = 'conformance' | 'sandbox'

/** What a run showed. */
export interface Shown {
  readonly findings: readonly Finding[]
  /** Entries of spec/behaviour that no request of the run was a case of. */
  readonly entriesWithoutCase: readonly string[]
  /** Open questions whose assumption the run did not confirm. */
  readonly unconfirmed: readonly string[]
}

const HOOK = fileURLToPath(new URL('hook.ts', import.meta.url))
const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

/** Checks the sandbox in a process of its own, where one side reads broken copies of the contract. */
export function checkBroken(side: Side, broken: readonly Break[]): Promise<Shown> {
  const folder = mkdtempSync(join(tmpdir(), 'broken-'))
  const file = join(folder, 'behaviour.json')
  writeFileSync(file, JSON.stringify(withBreaks(broken)))
  const env = { ...process.env, BROKEN_SIDE: side, BROKEN_FILE: file }
  return new Promise<Shown>((resolve, reject) => {
    const options = { env, maxBuffer: 100_000_000 }
    execFile(process.execPath, ['--import', HOOK, RUN], options, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr, { cause: error }))
      else resolve(JSON.parse(stdout))
    })
  }).finally(() => rmSync(folder, { recursive: true }))
}

/** Whether a run says that something is wrong with the entry, or with the question, of a field. */
export function isNamed({ at }: Break, { findings, entriesWithoutCase }: Shown): boolean {
  const [, section, name] = at.split('/')
  const entry = `/${section}/${name}`
  const source = sourceOf(at)
  if (entriesWithoutCase.includes(entry)) return true
  return findings.some(({ cites }) => {
    const isOfEntry = 'entry' in cites && cites.entry?.startsWith(entry)
    const isOfSource = 'question' in cites && cites.question === source
    return isOfEntry || isOfSource
  })
}

/**
 * Whether a run of one break shows that something is wrong: by any finding, or by a question of the
 * field that a run of the right contract confirms, and this one does not.
 */
export function isNoticed(broken: Break, shown: Shown, right: Shown): boolean {
  const source = sourceOf(broken.at) ?? ''
  const isLost = shown.unconfirmed.includes(source) && !right.unconfirmed.includes(source)
  return isLost || shown.findings.length > 0 || isNamed(broken, shown)
}

/** A break for a message. */
export function inWords({ at, ...change }: Break): string {
  return 'value' in change ? `${at} = ${JSON.stringify(change.value)}` : `${at} left out`
}
