import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/index.ts'
import { answerOf, requestOf } from './callers.ts'

let app: App
beforeAll(async () => {
  app = await createApp()
})
afterAll(() => app.close())

const control = async (sent: Parameters<typeof requestOf>[2]) =>
  answerOf(await app.fetch(requestOf('POST', '/_sandbox/clock', sent)))

// No server has said how long their bodies are.
test('takes a body of a request that never was on a wire', async () => {
  const { status, body } = await control({ body: { freeze: true } })
  expect([status, body]).toMatchObject([200, { frozen: true }])
})

test('still refuses one that is missing, or no JSON', async () => {
  expect((await control({})).status).toBe(400)
  expect((await control({ headers: { 'content-type': 'application/json' } })).status).toBe(400)
  expect((await control({ body: 'freeze=true', headers: { 'content-type': 'text/plain' } })).status).toBe(415)
})
