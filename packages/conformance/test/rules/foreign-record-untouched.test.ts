import { expect, test } from 'vitest'
import { type Fault, mistakes, problem } from './broken.ts'
import { CHARGES, found, PASSED, runOf, WEBHOOKS } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('foreign-record-untouched', { operations: [...WEBHOOKS, ...CHARGES] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test("finds an update of someone else's record", async () => {
  const fault = mistakes('updateWebhook')
  expect(await run(fault)).toEqual(found('failure foreign-record-untouched updateWebhook'))
})

test('finds a deletion that was answered 404 and made', async () => {
  const fault = deletesAnyway()
  expect(await run(fault)).toEqual(found('failure foreign-record-untouched deleteWebhook'))
})

test.each(['rotateWebhookSecret', 'cancelImmediateQrCode'])('finds %s by someone else', async (id) => {
  expect(await run(mistakes(id))).toEqual(found(`failure foreign-record-untouched ${id}`))
})

const runFaulty = runOfFaulty('foreign-record-untouched')

test.each([['code-of-the-partner-cancelled', 'deviation foreign-record-untouched cancelImmediateQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

/** Deletes for anyone, and then looks whose it was. */
function deletesAnyway(): Fault {
  const deletes = mistakes('deleteWebhook')
  return async (call, next, operation) => {
    const reply = await deletes(call, next, operation)
    return operation === 'deleteWebhook' ? problem(404) : reply
  }
}
