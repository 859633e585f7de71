import { expect, test } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { answers, type Body, isSuccess, problem, withBody } from './broken.ts'
import { UNMARKED } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('break-refused-with-pointer', { operations: ['checkKey', 'getUser'] })
const unmarked = runOf('break-refused-with-pointer', { contract: UNMARKED, operations: ['checkKey'] })
const runNested = runOf('break-refused-with-pointer', { operations: ['createImmediateQrCode'] })
const runList = runOf('break-refused-with-pointer', { operations: ['listImmediateQrCodes'] })
const runUpdate = runOf('break-refused-with-pointer', { operations: ['updateWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
  expect(await runUpdate()).toEqual(HELD)
})

test('finds a refusal that does not name the member', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, ({ errors: _, ...body }) => body),
  )
  expect(await run(fault)).toEqual(found('deviation break-refused-with-pointer checkKey'))
})

test('finds a refusal that names another member', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, (body) => ({ ...body, errors: [{ pointer: '/other', code: 'type' }] })),
  )
  expect(await run(fault)).toEqual(found('deviation break-refused-with-pointer checkKey'))
})

test('takes the name of what a member is in for a name of the member', async () => {
  const fault = answers(
    'createImmediateQrCode',
    named((pointer) => pointer.replace(/^(\/[^/]+).*/, '$1')),
  )
  expect(await runNested(fault)).toEqual(HELD)
})

test('finds a refusal that names a member whose name merely begins alike', async () => {
  const fault = answers(
    'checkKey',
    named((pointer) => `${pointer}_type`),
  )
  expect(await run(fault)).toEqual(found('deviation break-refused-with-pointer checkKey'))
})

test('finds a refusal that names another parameter', async () => {
  const fault = answers(
    'listImmediateQrCodes',
    named((pointer) => pointer && `${pointer}_type`),
  )
  expect(await runList(fault)).toEqual(found('deviation break-refused-with-pointer listImmediateQrCodes'))
})

test('is not judged where the contract leaves nothing of errors open', async () => {
  expect(await unmarked()).toEqual(UNJUDGED)
})

test.each(['/dict_key', '/dict_key/0'])(
  'takes "%s" for a name of the member, or of what is in it',
  async (pointer) => {
    const fault = answers('checkKey', (reply) =>
      isSuccess(reply)
        ? reply
        : withBody(reply, (body) => ({ ...body, errors: [{ pointer, code: 'type' }] })),
    )
    expect(await run(fault)).toEqual(HELD)
  },
)

test('is not judged where what is wrong is refused otherwise', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(422)))
  expect(await run(fault)).toEqual(UNJUDGED)
})

test('finds a refusal that names the whole body', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, (body) => ({ ...body, errors: [{ pointer: '', code: 'type' }] })),
  )
  expect(await run(fault)).toEqual(found('deviation break-refused-with-pointer checkKey'))
})

/** A refusal whose errors point elsewhere. */
function named(change: (pointer: string) => string): (reply: HttpResponse) => HttpResponse {
  return (reply) =>
    isSuccess(reply)
      ? reply
      : withBody(reply, ({ errors, ...body }) => ({
          ...body,
          errors: errors?.map((it: Body) => ({ ...it, pointer: change(String(it.pointer)) })),
        }))
}
