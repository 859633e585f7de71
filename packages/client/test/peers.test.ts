import { describe, expect, it } from 'vitest'
import { wrongCases } from '../bench/cases.ts'
import { createClient, createPayments } from '../src/index.ts'

/** The benchmark cases; every other measured client fails one to four of them. */
describe('the cases that other clients fail', () => {
  it('the operations pass', async () => {
    const wrong = await wrongCases(({ baseUrl, token, fetch }) => {
      const payments = createPayments({ baseUrl, auth: { token: () => token }, fetch, random: () => 0 })
      return {
        checkKey: (dictKey) => payments.keys.check(dictKey),
        createTransfer: (request) => payments.transfers.create(request),
        getWebhook: (webhookId) => payments.webhooks.get(webhookId),
      }
    })
    expect(wrong).toEqual([])
  })

  it('the client by path passes', async () => {
    const wrong = await wrongCases(({ baseUrl, token, fetch }) => {
      const api = createClient({ baseUrl, auth: { token: () => token }, fetch, random: () => 0 })
      const data = <T extends { data?: unknown; error?: unknown }>({ data, error }: T) => {
        if (error) throw error
        return data
      }
      return {
        checkKey: (dict_key) => api.POST('/mobile-bff/v1/pix/dict/check/', { body: { dict_key } }).then(data),
        createTransfer: (body) => api.POST('/mobile-bff/v1/pix/out/', { body }).then(data),
        getWebhook: (webhook_id) =>
          api
            .GET('/mobile-bff/v1/partner/webhook/{webhook_id}', { params: { path: { webhook_id } } })
            .then(data),
      }
    })
    expect(wrong).toEqual([])
  })
})
