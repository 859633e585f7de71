import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { isLater } from '../../src/rules/refusals/variant-request.ts'
import { accepts, alters, type Fault, isSuccess, problem, refuses } from './broken.ts'
import { NOT_ASSESSED, resultsOf, runOf } from './in-process.ts'

const _resultOf = resultsOf('refusals', { beside: ['refusals-later'] })
const run = runOf('refusals', { operations: ['createTransfer'] })
const { refusals = {} } = declared as Behaviour

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

  it('is not assessed where every transfer is refused', async () => {
    expect(await ofTransfers(refuses('createTransfer'))).toEqual(NOT_ASSESSED)
  })

  it.each([429])('is not assessed where every transfer but the first gets %i', async (status) => {
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
  })
})

it('has variants that only a moved clock can try', () => {
  const timed = Object.values(refusals).flatMap(({ variants = [] }) => variants.filter(isLater))
  expect(timed.length).toBeGreaterThan(2)
})

it('reports an accepted initiation_id that was never issued as a failure', async () => {
  const fault = accepts('createTransfer', ({ initiation_id }) => initiation_id === 'ini_neverissued00000000')
  expect((await run(fault)).found).toEqual(['failure refusals createTransfer'])
})
