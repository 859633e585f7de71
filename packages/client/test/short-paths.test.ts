import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import * as fixtures from '../src/generated/fixtures.ts'
import { aliases } from '../src/generated/operations.ts'
import { type Client, createClient, type GuideWebhook, OutcomeUnknownError } from '../src/index.ts'
import { operationOf } from '../src/operation.ts'
import { validation } from '../src/validation.ts'
import { issuesIn } from './properties.ts'
import { broken, json, SECRET, service, TRANSFER } from './service.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

const url = 'https://shop.example/hooks'
const { emv } = fixtures.checkCode.request.static

/** A call of each short path. */
const calls: Readonly<Record<string, (api: Client) => Promise<{ error?: unknown; response: Response }>>> = {
  guideCreateWebhook: (api) => api.POST('/partners/webhooks', { body: { url } }),
  guideListWebhooks: (api) => api.GET('/partners/webhooks'),
  guideCheckCode: (api) => api.POST('/pix/brcode/emv', { body: { emv } }),
  guideCreateTransfer: (api) => api.POST('/pix/out', { body: { type: 'emv', amount: '10.50', emv } }),
  guideCheckKey: (api) => api.POST('/pix/key', { body: { dict_key: 'beltrana@example.com' } }),
}

describe('the short paths against the mock', () => {
  it('are five', () => expect(aliases.map((row) => operationOf(row).operationId)).toEqual(Object.keys(calls)))

  it.each(aliases.map(operationOf))('$operationId signs in and succeeds with $status', async (operation) => {
    const issues: unknown[] = []
    const fetch = validation({ onIssues: (found) => issues.push(found) })
    const api = createClient({ baseUrl: mock.url, auth: SECRET, retries: 0, fetch })
    const result = await calls[operation.operationId]?.(api)
    expect([result?.response.status, result?.error, issues]).toEqual([operation.status, undefined, []])
  })
})

describe('the short paths', () => {
  it('are typed by the guide', async () => {
    const { api } = service(() => json({ data: [] }))
    const { data } = await api.GET('/partners/webhooks')
    if (data) expectTypeOf(data.data[0]?.url).toEqualTypeOf<GuideWebhook['url'] | undefined>()
    // @ts-expect-error -- the guide does not document the type of a webhook
    void data?.data[0]?.type
    // @ts-expect-error -- the field is named `url`
    void api.POST('/partners/webhooks', { body: {} }).catch(() => {})
    // @ts-expect-error -- the short paths have no trailing slash
    await expect(api.POST('/pix/out/', { body: TRANSFER })).rejects.toMatchObject({ kind: 'config' })
  })

  it.each([
    ['a reset connection', () => broken('ECONNRESET')],
    ['a 503 of a proxy', () => json({}, 503)],
    ['another success', () => json({}, 200)],
  ])('send a transfer once and leave its outcome unknown after %s', async (_, respond) => {
    const { api, sent } = service(respond, { retries: 2 })
    const failed = await api.POST('/pix/out', { body: TRANSFER }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(OutcomeUnknownError)
    expect(failed).toMatchObject({ request: { input: TRANSFER } })
    expect(sent).toHaveLength(1)
  })
})

it('a short path reports a deviation if its assumed body differs', async () => {
  const missing = { message: 'expected a value, got nothing' }
  const deviation = { ...missing, pointer: '/status', question: 'guide-paths' }
  expect(await issuesIn('guideCreateTransfer', 201, {})).toContainEqual(deviation)
  expect(await issuesIn('guideCheckKey', 200, {})).toContainEqual({ ...missing, pointer: '/dict_key' })
})
