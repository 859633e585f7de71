import { expect, test } from 'vitest'
import { alters, refuses, refusing, shows } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'

const run = runOf('links-followed', { operations: ['getWebhook'] })
const runUser = runOf('links-followed', { operations: ['getUser'] })
const runList = runOf('links-followed', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds an id that leads to nothing', async () => {
  const fault = alters('getWebhook', refusing(404))
  expect(await run(fault)).toEqual(found('failure links-followed getWebhook'))
})

test('is not judged where a rule forbids it, or the answer to begin with is refused', async () => {
  expect(await run(refuses('getWebhook', 409))).toEqual(NOT_ASSESSED)
  expect(await run(refuses('getWebhook'))).toEqual(NOT_ASSESSED)
  expect(await run(refuses('createWebhook'))).toEqual(NOT_ASSESSED)
})

test('follows no link that it was not asked about', async () => {
  expect(await run(refuses('deleteWebhook', 404))).toEqual(PASSED)
})

test('says nothing where a list shows what is gone since, or an answer has nothing to take', async () => {
  expect(await runUser(refuses('getUser', 404))).toEqual(NOT_ASSESSED)
  expect(await run(shows('createWebhook', ({ id: _, ...body }) => body))).toEqual(PASSED)
})

test('finds a cursor that leads to nothing', async () => {
  const fault = shows('listImmediateQrCodes', (body) => ({ ...body, next_cursor: 'c_more' }))
  expect(await runList(fault)).toEqual(found('deviation links-followed listImmediateQrCodes'))
})
