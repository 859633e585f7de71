import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answer, copySpec, type Evidence } from '@partner-payments/spec/answer'
import { buildSpec, SPEC } from '@partner-payments/spec/build'
import { afterAll, expect, it } from 'vitest'
import { createFetchTransport, type Result } from '../src/index.ts'
import { plans } from '../src/plans/index.ts'
import { renderEvidence } from '../src/report/render-evidence.ts'
import { run } from '../src/run.ts'
import { serviceWith } from './loop/services.ts'
import { partner as credentials, other } from './service.ts'
import { openService } from './services/service.ts'

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
  const first = await resultOf()
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
  const second = await resultOf(contract)
  expect(second.findings.map(({ message }) => message)).toEqual([])
}, 120_000)

async function resultOf(contract?: object): Promise<Result> {
  const { fetch, close } = await openService(service)
  const running = run({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetch),
    plans: QUICK,
    ...(contract && { contract }),
  })
  return running.finally(close)
}

function contradictedIn({ verdicts }: Result): string[] {
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  return contradicted.map(({ question }) => question)
}
