import { expect, test } from 'vitest'
import { answers, isSuccess, shows, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('response-media-type', { beside: ['example-accepted'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a body that says it is something else', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? withHeader(reply, 'content-type', 'text/html') : reply,
  )
  expect(await run(fault)).toEqual(found('failure response-media-type checkKey'))
})

test('leaves what is wrong with the body to another rule', async () => {
  expect(await run(shows('checkKey', ({ owner_name: _, ...body }) => body))).toEqual(HELD)
})
