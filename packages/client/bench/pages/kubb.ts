import { checkKey } from '../generated/kubb/clients/checkKey.ts'
import { createTransfer } from '../generated/kubb/clients/createTransfer.ts'
import { listDueDateQrCodes } from '../generated/kubb/clients/listDueDateQrCodes.ts'

export async function page(baseURL: string, token: string, dict_key: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const config = { baseURL, headers }
  const owner = await checkKey({ dict_key }, config)
  const { initiation_id } = owner
  const transfer = await createTransfer({ type: 'dict', amount: '10.50', initiation_id, dict_key }, config)
  const codes = await listDueDateQrCodes({ limit: '20' }, config)
  return { owner: owner.owner_name, status: transfer.status, codes: codes.data.length }
}
