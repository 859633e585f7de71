import { createClient } from '../generated/hey-api/client/index.ts'
import { checkKey, createTransfer, listDueDateQrCodes } from '../generated/hey-api/sdk.gen.ts'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const client = createClient({ baseUrl, auth: () => token })
  const owner = await checkKey({ client, body: { dict_key } })
  if (owner.error) throw owner.error
  const { initiation_id } = owner.data
  const transfer = await createTransfer({
    client,
    body: { type: 'dict', amount: '10.50', initiation_id, dict_key },
  })
  if (transfer.error) throw transfer.error
  const codes = await listDueDateQrCodes({ client, query: { limit: '20' } })
  if (codes.error) throw codes.error
  return { owner: owner.data.owner_name, status: transfer.data.status, codes: codes.data.data.length }
}
