import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answer, copySpec, type Evidence } from '@partner-payments/spec/answer'
import { buildSpec, SPEC } from '@partner-payments/spec/build'
import { afterAll, expect, it } from 'vitest'
import type { Result } from '../src/index.ts'
import { plans } from '../src/plans/index.ts'
import { renderEvidence } from '../src/report/render-evidence.ts'
import { serviceWith } from './loop/services.ts'
import { checkService } from './services/check.ts'

const folder = mkdtempSync(join(tmpdir(), 'loop-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The plans that show each response and most refusals in two seconds. */
const QUICK = plans.filter(({ id }) => ['examples', 'breaks'].includes(id))

/** What four of the differences change is in the document, which a run can take from a copy. */
const { service, answers: differing } = serviceWith([
  'error-form',
  'timestamps',
  'numbers',
  'identifiers',
])

it('a service is checked, its answers change the contract, and then nothing deviates', async () => {
  const first = await checkService(service, { plans: QUICK })
  expect(first.findings.filter(({ kind }) => kind === 'failure')).toEqual([])
  expect(contradictedIn(first)).toEqual(expect.arrayContaining([...differing]))

  const evidence: Evidence = JSON.parse(renderEvidence(first, {}))
  const { answers, changed } = await answer({ spec: SPEC, evidence })
  const answered = answers.filter(({ isAnswered }) => isAnswered).map(({ question }) => question)
  expect(answered).toEqual(expect.arrayContaining([...differing]))

  const spec = copySpec(SPEC)
  try {
    for (const [name, text] of changed) writeFileSync(join(spec, name), text)
    const { problems } = await buildSpec({ spec, out: join(folder, 'dist') })
    expect(problems).toEqual([])
  } finally {
    rmSync(spec, { recursive: true })
  }

  const contract = JSON.parse(readFileSync(join(folder, 'dist/openapi.json'), 'utf8'))
  const second = await checkService(service, { plans: QUICK, contract })
  expect(second.findings.map(({ message }) => message)).toEqual([])
})

function contradictedIn({ verdicts }: Result): string[] {
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  return contradicted.map(({ question }) => question)
}
