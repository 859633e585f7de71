import type {
  CheckKeyRequest,
  DueDateQrCodeList,
  KeyCheck,
  Transfer,
  TransferRequest,
} from '@partner-payments/spec'
import { bareFetch } from '../bare-fetch.ts'

export async function page(baseUrl: string, token: string, dict_key: string) {
  const call = bareFetch(baseUrl, token)
  const lookUp: CheckKeyRequest = { dict_key }
  const owner = await call<KeyCheck>('POST', '/mobile-bff/v1/pix/dict/check/', lookUp)
  const { initiation_id } = owner
  const payment: TransferRequest = { type: 'dict', amount: '10.50', initiation_id, dict_key }
  const transfer = await call<Transfer>('POST', '/mobile-bff/v1/pix/out/', payment)
  const codes = await call<DueDateQrCodeList>('GET', '/mobile-bff/v1/pix/qrcode/dynamic/due-date?limit=20')
  return { owner: owner.owner_name, status: transfer.status, codes: codes.data.length }
}
