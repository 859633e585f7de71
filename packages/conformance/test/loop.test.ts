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
import { bodyOf, isJson } from './services/responses.ts'
import { onResponse } from './services/wrap.ts'

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

  const { answers, contract } = await answerContract(first)
  const answered = answers.filter(({ isAnswered }) => isAnswered).map(({ question }) => question)
  expect(answered).toEqual(expect.arrayContaining([...differing]))

  const second = await checkService(service, { plans: QUICK, contract })
  expect(second.findings.map(({ message }) => message)).toEqual([])
})

/** Its refusals have neither a code nor a status, and no response has a request id. */
const withoutCodes = onResponse(async (response) => {
  const body = await bodyOf(response)
  const headers = new Headers(response.headers)
  headers.delete('x-request-id')
  if (response.status < 400 || !isJson(body))
    return new Response(response.body, { status: response.status, headers })

  headers.set('content-type', 'application/json')
  const text = JSON.stringify({ erro: { mensagem: body.detail }, rastreio: 'abc' })
  return new Response(text, { status: response.status, headers })
})

it('a service without codes and request ids is judged by the status, once the contract says so', async () => {
  const withCauses = plans.filter(({ id }) => ['examples', 'causes'].includes(id))
  const first = await checkService(withoutCodes, { plans: withCauses })
  const rules = ['http-request-ids', 'http-problems', 'refusals-coded']
  expect(first.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules))

  const { contract } = await answerContract(first)
  const second = await checkService(withoutCodes, { plans: withCauses, contract })
  expect(second.findings.map(({ message }) => message)).toEqual([])
})

/** Answers from a result, and the contract that is built with them. */
async function answerContract(result: Result) {
  const evidence: Evidence = JSON.parse(renderEvidence(result, {}))
  const { answers, changed } = await answer({ spec: SPEC, evidence })
  const spec = copySpec(SPEC)
  try {
    for (const [name, text] of changed) writeFileSync(join(spec, name), text)
    const { problems } = await buildSpec({ spec, out: join(folder, 'dist') })
    expect(problems).toEqual([])
  } finally {
    rmSync(spec, { recursive: true })
  }
  const contract = JSON.parse(readFileSync(join(folder, 'dist/openapi.json'), 'utf8'))
  return { answers, contract }
}

function contradictedIn({ verdicts }: Result): string[] {
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  return contradicted.map(({ question }) => question)
}
