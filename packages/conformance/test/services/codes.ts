import { type BrCodeFields, encode, keyKind, tryDecode } from '@partner-payments/brcode'
import { withBody } from './call.ts'
import { bodyOf, codeOf, isJson, withJson } from './responses.ts'
import type { Service } from './wrap.ts'
import { handle } from './wrap.ts'

/** The fields of a static code; undefined for another code, or for none. */
export function staticIn(emv: unknown): BrCodeFields | undefined {
  const decoded = tryDecode(String(emv ?? ''), { profile: 'lenient' })
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return fields
}

/** A key of another institution, which any code may stand for. */
const KEY = '11222333000181'

/** Takes a code of a key that nobody has for one of the name that it claims. */
export const paysAnybody: Service = {
  operations: new Set(['checkCode', 'createTransfer']),
  ...handle(async (call, next) => {
    const response = await next(call)
    const code = staticIn(call.json?.emv)
    const isRefused = (await codeOf(response)) === 'invalid_code'
    if (!isRefused || !code?.key || !keyKind(code.key)) return response

    const emv = encode({ ...code, key: KEY })
    const again = await next(withBody(call, { ...call.json, emv }))
    const body = again.ok ? await bodyOf(again) : undefined
    if (!isJson(body?.beneficiary)) return again
    const beneficiary = { ...body.beneficiary, dict_key: code.key, name: code.merchantName }
    return withJson(again, { ...body, beneficiary })
  }),
}
