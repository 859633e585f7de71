import { expect, test } from 'vitest'
import { answers, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('www-authenticate', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a 401 that does not say which scheme it expects', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'www-authenticate'))
  expect(await run(fault)).toEqual(found('discovery www-authenticate checkKey'))
})
