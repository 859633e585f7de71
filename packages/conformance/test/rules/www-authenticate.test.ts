import { expect, test } from 'vitest'
import { answers, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('www-authenticate', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a 401 that does not say which scheme it expects', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'www-authenticate'))
  expect(await run(fault)).toEqual(found('deviation www-authenticate checkKey'))
})

test('finds a 401 that expects the scheme of another operation', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'www-authenticate', 'Basic realm="pix"'))
  expect(await run(fault)).toEqual(found('deviation www-authenticate checkKey'))
})

test('takes a challenge among others, in other letters', async () => {
  const challenge = 'Basic realm="pix", bearer error="invalid_token"'
  const right = answers('checkKey', (reply) =>
    reply.status === 401 ? withHeader(reply, 'www-authenticate', challenge) : reply,
  )
  expect(await run(right)).toEqual(HELD)
})
