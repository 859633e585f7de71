import { sample } from '@partner-payments/campaign'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { isLater } from '../../src/rules/refusals/variant-request.ts'
import { accepts, alters, type Fault, isSuccess, problem, refuses } from './broken.ts'
import { NOT_ASSESSED, resultsOf, runOf } from './in-process.ts'
import { runOf as runOverHttp } from './over-http.ts'

const resultOf = resultsOf('refusals', { beside: ['refusals-later'] })
const run = runOf('refusals', { operations: ['createTransfer'] })
const { refusals = {} } = declared as Behaviour

it('passes on the correct service', async () => {
  const { rules, findings } = await resultOf()
  expect(findings).toEqual([])
  expect(rules.flatMap(({ rule, status }) => (status === 'passed' ? [rule] : []))).toEqual([
    'refusals',
    'refusals-later',
  ])
})

/** Reports success where the service refuses with one of these codes. */
function accepting(codes: readonly string[]): Fault {
  return alters(undefined, (response) =>
    codes.some((code) => response.text.includes(`"code":"${code}"`))
      ? { ...response, status: 200, text: '{}' }
      : response,
  )
}

const codes = Object.keys(refusals).filter((code) => (refusals[code]?.variants ?? []).length > 0)
// Every second code, so that the run still sees the refusals of the others.
const halves = [0, 1].map((half) => codes.filter((_, i) => i % 2 === half))

it.each(halves)('finds each operation that never refuses with %s, %s, %s, ...', async (...accepted) => {
  const { findings } = await resultOf(accepting(accepted))
  const found = findings.map(
    ({ operation, message }) => `${operation} ${/expected (\w+)\.$/.exec(message)?.[1]}`,
  )
  const expected = accepted.flatMap((code) =>
    (refusals[code]?.variants ?? []).map(({ operation }) => `${operation} ${code}`),
  )
  expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort())
})

it('reports a service that refuses a valid edge', async () => {
  const strict = refuses('createTransfer')
  const today = /"payment_date"/
  const fault: Fault = (call, next, operation) =>
    today.test(call.body ?? '') ? strict(call, next, operation) : next(call)
  expect((await run(fault)).found).toContain('deviation refusals createTransfer')
})

const resultOfTransfers = resultsOf('refusals', { operations: ['createTransfer'] })

it('accepts a refusal with another status, and reports that once', async () => {
  const fault = alters('createTransfer', (response) =>
    response.status === 422 ? { ...problem(400, 'bad_request') } : response,
  )
  const { findings, verdicts } = await resultOfTransfers(fault)
  expect(new Set(findings.map(({ question }) => question))).toEqual(new Set(['errors']))
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  expect(contradicted.map(({ question }) => question)).toEqual(['errors'])
})

describe('without an accepted request to compare with', () => {
  const ofTransfers = runOf('refusals', { operations: ['createTransfer'] })

  it.each([422, 429, 500])('is not assessed where every transfer gets %i', async (status) => {
    expect(await ofTransfers(refuses('createTransfer', status))).toEqual(NOT_ASSESSED)
  })

  it.each([401, 408, 429, 500])(
    'is not assessed where every transfer but the first gets %i',
    async (status) => {
      let accepted = 0
      const fault: Fault = async (call, next, operation) => {
        if (operation !== 'createTransfer' || accepted === 0) {
          const response = await next(call)
          if (operation === 'createTransfer' && isSuccess(response)) accepted++
          return response
        }
        return problem(status)
      }
      expect(await ofTransfers(fault)).toEqual(NOT_ASSESSED)
    },
  )
})

it('has variants that only a moved clock can try', () => {
  const timed = Object.values(refusals).flatMap(({ variants = [] }) => variants.filter(isLater))
  expect(timed.length).toBeGreaterThan(2)
})

it('reports an accepted initiation_id that was never issued as a failure', async () => {
  const fault = accepts('createTransfer', ({ initiation_id }) => initiation_id === 'ini_neverissued00000000')
  expect((await run(fault)).found).toEqual(['failure refusals createTransfer'])
})

// Each has its own sandbox, and waits for time to pass.
it.concurrent.each(
  sample(
    [
      ['nothing-paid-for-an-open-code', 'refusals', 'createTransfer'],
      ['due-date-charge-of-any-amount', 'refusals', 'createTransfer'],
      ['initiation-of-the-partner-for-a-customer', 'refusals', 'createTransfer'],
      ['charge-to-a-foreign-key', 'refusals', 'createImmediateQrCode'],
      ['expired-charge-checked', 'refusals', 'checkCode'],
      ['old-initiation-pays', 'refusals-later', 'createTransfer'],
      ['overdue-charge-paid', 'refusals-later', 'createTransfer'],
    ],
    ([, rule]) => rule,
  ),
)('finds the mutant %s', async (mutant, rule, operation) => {
  const runMutant = runOverHttp(rule, { operations: [operation] })
  expect((await runMutant(mutant)).found).toContain(`deviation ${rule} ${operation}`)
})
