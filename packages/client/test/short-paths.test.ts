import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { aliases } from '../src/generated/operations.ts'
import { createClient, type GuideWebhook, OutcomeUnknownError } from '../src/index.ts'
import { operationOf } from '../src/operation.ts'
import { validation } from '../src/validation.ts'
import { examples } from './contract.ts'
import { json, problem, SECRET, service, TRANSFER } from './service.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

describe('the five short paths', () => {
  it.each(aliases.map(operationOf))('$operationId signs in and succeeds with $status', async (operation) => {
    const { operationId, method, path, status } = operation
    const issues: unknown[] = []
    const fetch = validation({ onIssues: (found) => issues.push(found) })
    const api = createClient({ baseUrl: mock.url, auth: SECRET, retries: 0, fetch })
    const body = examples.find((it) => it.operationId === operationId && it.of === 'request')?.value as never
    const sent = api.request(method.toLowerCase() as 'post', path as '/pix/key', { body })
    const { error, response } = await sent
    expect([response.status, error, issues]).toEqual([status, undefined, []])
  })

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

  it('send a transfer once and leave its outcome unknown after a 503', async () => {
    const { api, sent } = service(() => problem(503, 'unavailable'))
    const failed = await api.POST('/pix/out', { body: TRANSFER }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(OutcomeUnknownError)
    expect(failed).toMatchObject({ request: { input: TRANSFER } })
    expect(sent).toHaveLength(1)
  })
})
