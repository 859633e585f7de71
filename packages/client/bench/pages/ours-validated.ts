import { createPayments, logging } from '@partner-payments/client'
import { validation } from '@partner-payments/client/validation'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const fetch = logging(console.log, { fetch: validation() })
  const payments = createPayments({ baseUrl, auth: { token: () => token }, fetch })
  const owner = await payments.keys.check(dict_key)
  const { initiation_id } = owner
  const transfer = await payments.transfers.create({ type: 'dict', amount: '10.50', initiation_id, dict_key })
  const codes = await payments.qrcodes.listDueDate({ limit: '20' })
  return { owner: owner.owner_name, status: transfer.status, codes: codes.data.length }
}
