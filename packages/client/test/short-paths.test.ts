import { describe, expect, expectTypeOf, it } from 'vitest'
import { type GuideWebhook, OutcomeUnknownError } from '../src/index.ts'
import { json, problem, service, TRANSFER } from './service.ts'

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
    await expect(api.POST('/pix/out/', { body: TRANSFER })).rejects.toMatchObject({
      kind: 'config',
    })
  })

  it('send a transfer once and leave its outcome unknown after a 503', async () => {
    const { api, sent } = service(() => problem(503, 'unavailable'))
    const failed = await api.POST('/pix/out', { body: TRANSFER }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(OutcomeUnknownError)
    expect(failed).toMatchObject({ request: { input: TRANSFER } })
    expect(sent).toHaveLength(1)
  })
})
