import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/index.ts'
import { parseResponse, requestOf } from './callers.ts'

let app: App
beforeAll(async () => {
  app = await createApp()
})
afterAll(() => app.close())

const control = async (sent: Parameters<typeof requestOf>[2]) =>
  parseResponse(await app.fetch(requestOf('POST', '/_sandbox/clock', sent)))

// Such a request has no content-length.
test('reads the body of a request that came over no connection', async () => {
  const { status, body } = await control({ body: { freeze: true } })
  expect([status, body]).toMatchObject([200, { frozen: true }])
})
