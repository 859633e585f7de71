import { checkKey, createTransfer, listDueDateQrCodes } from '../generated/orval/client.ts'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const at: typeof fetch = (path, init) => fetch(`${baseUrl}${path}`, init)
  const options = { headers: { authorization: `Bearer ${token}` } }
  const owner = await checkKey({ dict_key }, options, at)
  if (owner.status !== 200) throw owner
  const { initiation_id } = owner.data
  const payment = { type: 'dict', amount: '10.50', initiation_id, dict_key } as const
  const transfer = await createTransfer(payment, options, at)
  if (transfer.status !== 201) throw transfer
  const codes = await listDueDateQrCodes({ limit: '20' }, options, at)
  if (codes.status !== 200) throw codes
  return { owner: owner.data.owner_name, status: transfer.data.status, codes: codes.data.data.length }
}
