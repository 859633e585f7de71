import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { isLater } from '../../src/rules/variant-request.ts'
import { accepts, alters, type Fault, isSuccess, problem, refuses } from './broken.ts'
import { NOT_ASSESSED, PASSED, resultsOf, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('refusals')
const runLater = runOf('refusals-later')
const { refusals = {} } = declared as Behaviour

it('passes on the right service', async () => {
  expect(await run()).toEqual(PASSED)
  expect(await runLater()).toEqual(PASSED)
})

/** Reports success wherever the service refuses with a code. */
function accepting(code: string): Fault {
  return alters(undefined, (reply) =>
    reply.text.includes(`"code":"${code}"`) ? { ...reply, status: 200, text: '{}' } : reply,
  )
}

describe.each(Object.entries(refusals).filter(([, { variants = [] }]) => variants.length > 0))(
  'a service that never refuses with %s',
  (code, { variants = [] }) => {
    it('gets a finding for each operation with an invalid variant', async () => {
      const fault = accepting(code)
      const found = [...(await run(fault)).found, ...(await runLater(fault)).found].join('\n')
      for (const { operation } of variants)
        expect(found).toMatch(new RegExp(`refusals(-later)? ${operation}`))
    })
  },
)

it('reports a service that refuses a valid edge', async () => {
  const strict = refuses('createTransfer')
  const today = /"payment_date"/
  const fault: Fault = (call, next, operation) =>
    today.test(call.body ?? '') ? strict(call, next, operation) : next(call)
  expect((await run(fault)).found).toContain('deviation refusals createTransfer')
})

const resultOfTransfers = resultsOf('refusals', { operations: ['createTransfer'] })

it('accepts a refusal with another status, and reports that once', async () => {
  const fault = alters('createTransfer', (reply) =>
    reply.status === 422 ? { ...problem(400, 'bad_request') } : reply,
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
          const reply = await next(call)
          if (operation === 'createTransfer' && isSuccess(reply)) accepted++
          return reply
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

describe('a mutant of the sandbox', () => {
  const runMutant = runOfFaulty('refusals')
  it.each([
    ['nothing-paid-for-an-open-code', 'createTransfer'],
    ['due-date-charge-of-any-amount', 'createTransfer'],
    ['initiation-of-the-partner-for-a-customer', 'createTransfer'],
    ['charge-to-a-foreign-key', 'createImmediateQrCode'],
    ['expired-charge-checked', 'checkCode'],
  ])('%s is found', async (mutant, operation) => {
    expect((await runMutant(mutant)).found).toContain(`deviation refusals ${operation}`)
  })

  it('that accepts an invented initiation_id violates a fact', async () => {
    const fault = accepts(
      'createTransfer',
      ({ initiation_id }) => initiation_id === 'ini_neverissued00000000',
    )
    expect((await run(fault)).found).toEqual(['failure refusals createTransfer'])
  })

  it('is found later where it only shows after time has passed', async () => {
    const line = 'deviation refusals-later createTransfer'
    const runMutantLater = runOfFaulty('refusals-later')
    expect((await runMutantLater('old-initiation-pays')).found).toContain(line)
    expect((await runMutantLater('overdue-charge-paid')).found).toContain(line)
  })
})
