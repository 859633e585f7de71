import { createPayments, logging } from '@partner-payments/client'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const payments = createPayments({ baseUrl, auth: { token: () => token }, fetch: logging(console.log) })
  const owner = await payments.keys.check(dict_key)
  const { initiation_id } = owner
  const transfer = await payments.transfers.create({ type: 'dict', amount: '10.50', initiation_id, dict_key })
  const codes = await payments.qrcodes.listDueDate({ limit: '20' })
  return { owner: owner.owner_name, status: transfer.status, codes: codes.data.length }
}
