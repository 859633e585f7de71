import { expect, test } from 'vitest'
import { answers, type Fault, ok, refuses } from './broken.ts'
import { without } from './contracts.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('listed-after-creation', { operations: WEBHOOKS })
const runCharge = runOf('listed-after-creation', { operations: CHARGES })
const unlisted = runOf('listed-after-creation', {
  contract: without('listWebhooks'),
  operations: WEBHOOKS.filter((it) => it !== 'listWebhooks'),
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list without what was created', async () => {
  const fault = answers('listWebhooks', (reply) => ({ ...reply, text: '[]' }))
  expect(await run(fault)).toEqual(found('failure listed-after-creation listWebhooks'))
})

test('is not judged where the list cannot be had', async () => {
  expect(await run(refuses('listWebhooks'))).toEqual(UNJUDGED)
})

test('takes a record for listed that is on a later page', async () => {
  const fault: Fault = async (call, next, called) => {
    if (called !== 'listImmediateQrCodes') return next(call)
    const [path = '', later] = call.path.split('?')
    return later ? next({ ...call, path }) : ok({ data: [], next_cursor: 'c_next' })
  }
  expect(await runCharge(fault)).toEqual(HELD)
})

test('is not judged where nothing lists the records', async () => {
  expect(await unlisted()).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('listed-after-creation')

test.each([
  ['due-date-code-lost', 'failure listed-after-creation listDueDateQrCodes'],
  ['webhooks-beyond-ten-unlisted', 'failure listed-after-creation listWebhooks'],
  ['list-misses-the-newest', 'failure listed-after-creation listWebhooks'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
