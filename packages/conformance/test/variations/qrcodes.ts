import { type Call, withQuery } from '../services/call.ts'
import { type Json, withJson } from '../services/responses.ts'
import { type Next, onSuccess, refuse, type Services, together } from '../services/wrap.ts'
import { DYNAMIC_QR_CODES, field, type Scope, words } from './kit.ts'

const CHECKS: Scope = new Set(['checkCode'])
const CODES: Scope = new Set([...DYNAMIC_QR_CODES, ...CHECKS, 'createStaticQrCode'])
const LISTS: Scope = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])
const KINDS = { Immediate: 'Dynamic', DueDate: 'DynamicDueDate' }
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export const qrCodes: Services = {
  'list-numbered': { operations: LISTS, wrap: numbered },
  'status-lower': words('status', CODES, {
    ATIVA: 'ativa',
    CONCLUIDA: 'concluida',
    [REMOVED]: 'removida',
  }),
  'code-words': together(
    words('qrcode_type', CHECKS, KINDS),
    words('kind', DYNAMIC_QR_CODES, KINDS),
  ),
  'code-expiration-seconds': {
    operations: CHECKS,
    ...onSuccess((body, _, { app }) => {
      if (!body.expiration) return body
      const ms = Date.parse(String(body.expiration)) - app.clock.now()
      return { ...body, expiration: String(Math.ceil(ms / 1000)) }
    }),
  },
  'code-url-https': field({
    names: ['url'],
    scope: CODES,
    show: (value) => (value === '' ? '' : `https://${value}`),
  }),
  'value-change-never': {
    operations: CHECKS,
    ...onSuccess((body) => ({ ...body, allow_value_change: false })),
  },
  'original-net': {
    operations: CHECKS,
    ...onSuccess((body) => ({
      ...body,
      original_amount: (Number(body.original_amount) - Number(body.deduction)).toFixed(2),
    })),
  },
  'image-data-url': field({
    names: ['qrcode_image'],
    show: (value) => `data:image/png;base64,${value}`,
  }),
  'codes-strict': refuse([422, 'invalid_code'], ({ emv }) => {
    const isLowerCase = /26\d\d0014br\.gov\.bcb\.pix/.test(String(emv))
    return emv ? !isLowerCase : false
  }),
}

/** Lists by the number of a page, which is the cursor. */
async function numbered(call: Call, next: Next): Promise<Response> {
  const first = await next(withQuery(call, { cursor: null }))
  if (!first.ok) return first

  const { searchParams } = call.url
  const number = Number(searchParams.get('cursor') ?? 1)
  const limit = Number(searchParams.get('limit') ?? 20)
  const isPage = number >= 1
  if (!isPage) return next(withQuery(call, { cursor: 'none' }))

  const records = await everyRecord(withQuery(call, { limit: '100' }), next)
  const data = records.slice((number - 1) * limit, number * limit)
  return withJson(first, { data, page: number, total: records.length })
}

interface Page {
  readonly data: readonly Json[]
  readonly next_cursor: string | null
}

/** The records of all pages. */
async function everyRecord(call: Call, next: Next): Promise<Json[]> {
  const records: Json[] = []
  let cursor: string | null = null
  do {
    const response = await next(withQuery(call, { cursor }))
    const page = (await response.json()) as Page
    records.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return records
}
