import { createClient } from '@partner-payments/client'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const client = createClient({ baseUrl, auth: { token: () => token } })
  const owner = await client.POST('/mobile-bff/v1/pix/dict/check/', { body: { dict_key } })
  if (owner.error) throw owner.error
  const { initiation_id } = owner.data
  const transfer = await client.POST('/mobile-bff/v1/pix/out/', {
    body: { type: 'dict', amount: '10.50', initiation_id, dict_key },
  })
  if (transfer.error) throw transfer.error
  const codes = await client.GET('/mobile-bff/v1/pix/qrcode/dynamic/due-date', {
    params: { query: { limit: '20' } },
  })
  if (codes.error) throw codes.error
  return { owner: owner.data.owner_name, status: transfer.data.status, codes: codes.data.data.length }
}
