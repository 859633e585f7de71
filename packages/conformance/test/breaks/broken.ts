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

/** Whether a run says that something is wrong with the entry of a break. */
export function isEntryNamed({ at }: Break, { findings, entriesWithoutCase }: Shown): boolean {
  const entry = entryOf({ at })
  const isWithin = (place = '') => `${place}/`.startsWith(`${entry}/`)
  if (entriesWithoutCase.some(isWithin)) return true
  return findings.some(({ cites }) => 'entry' in cites && isWithin(cites.entry))
}

/** Whether a run of one break names its entry, or its question. */
export function isNamed(broken: Break, shown: Shown): boolean {
  if (isEntryNamed(broken, shown)) return true
  const source = sourceOf(broken.at)
  return shown.findings.some(({ cites }) => 'question' in cites && cites.question === source)
}

/** Breaks of one run. Each one that it does not name gets a run of its own. */
const TOGETHER = 6

/** A break, and whether a finding names it. */
export interface Judged {
  readonly broken: Break
  readonly isNamed: boolean
}

/** Runs with every break, and says of each whether it is named. */
export async function* judge(side: Side, all: readonly Break[]): AsyncGenerator<Judged> {
  for (const together of apart(all)) {
    const shown = await checkBroken(side, together)
    for (const broken of together) {
      // Several may be of one question, and one may keep the others from their cases.
      const isNamedAtOnce = isEntryNamed(broken, shown)
      yield { broken, isNamed: isNamedAtOnce || isNamed(broken, await checkBroken(side, [broken])) }
    }
  }
}

/** Runs whose breaks are of different entries, so that each finding names one of them. */
function apart(all: readonly Break[]): Break[][] {
  const runs: Break[][] = []
  for (const one of all) {
    const fitting = runs.find(
      (run) => run.length < TOGETHER && run.every((other) => entryOf(other) !== entryOf(one)),
    )
    if (fitting) fitting.push(one)
    else runs.push([one])
  }
  return runs
}

function entryOf({ at }: Break): string {
  return at.split('/').slice(0, 3).join('/')
}
