import { expect, test } from 'vitest'
import { createSandbox } from '../src/index.ts'

test.each([
  [
    'leads to the code in the error catalogue',
    'http://127.0.0.1:4000/behaviour/errors.html',
    'http://127.0.0.1:4000/behaviour/errors.html#invalid_token',
  ],
  ['is about:blank where no catalogue is named', undefined, 'about:blank'],
])('the type of a problem %s', async (_, errorCatalogue, type) => {
  const sandbox = await createSandbox({ errorCatalogue })
  const response = await sandbox.service(new Request('http://127.0.0.1/mobile-bff/v1/partner/user'))
  expect(await response.json()).toMatchObject({ type, code: 'invalid_token' })
  await sandbox.close()
})
