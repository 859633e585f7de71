import { type Call, withQuery } from '../services/call.ts'
import { type Json, withJson } from '../services/responses.ts'
import { type Next, onSuccess, refuse, type Services, together } from '../services/wrap.ts'
import { DYNAMIC, field, words } from './kit.ts'

const CHECK = /^checkCode$/
const CODES = /QrCode|checkCode|^qrcode\./
const KINDS = { Immediate: 'Dynamic', DueDate: 'DynamicDueDate' }
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export const qrCodes: Services = {
  'list-numbered': { operations: /^list\w+QrCodes$/, wrap: numbered },
  'status-lower': words(/^status$/, CODES, {
    ATIVA: 'ativa',
    CONCLUIDA: 'concluida',
    [REMOVED]: 'removida',
  }),
  'code-words': together(words(/^qrcode_type$/, CHECK, KINDS), words(/^kind$/, DYNAMIC, KINDS)),
  'code-expiration-seconds': {
    operations: CHECK,
    ...onSuccess((it, _, { app }) => {
      const seconds = Math.ceil((Date.parse(String(it.expiration)) - app.clock.now()) / 1000)
      return { ...it, expiration: it.expiration && String(seconds) }
    }),
  },
  'code-url-https': field({
    name: /^url$/,
    scope: CODES,
    show: (value) => value && `https://${value}`,
  }),
  'value-change-never': {
    operations: CHECK,
    ...onSuccess((it) => ({ ...it, allow_value_change: false })),
  },
  'original-net': {
    operations: CHECK,
    ...onSuccess((it) => ({
      ...it,
      original_amount: (Number(it.original_amount) - Number(it.deduction)).toFixed(2),
    })),
  },
  'image-data-url': field({
    name: /^qrcode_image$/,
    show: (value) => `data:image/png;base64,${value}`,
  }),
  'codes-strict': refuse([422, 'invalid_code'], ({ emv }) =>
    emv ? !/26\d\d0014br\.gov\.bcb\.pix/.test(String(emv)) : false,
  ),
}

/** Lists by the number of a page, which is the cursor. */
async function numbered(call: Call, next: Next): Promise<Response> {
  const first = await next(withQuery(call, { cursor: null }))
  const { searchParams } = call.url
  const [number, limit] = [
    Number(searchParams.get('cursor') ?? 1),
    Number(searchParams.get('limit') ?? 20),
  ]
  if (!first.ok) return first
  if (!(number >= 1)) return next(withQuery(call, { cursor: 'none' }))
  const all = await everyRecord(withQuery(call, { limit: '100' }), next)
  const data = all.slice((number - 1) * limit, number * limit)
  return withJson(first, { data, page: number, total: all.length })
}

/** The records of all pages. */
async function everyRecord(call: Call, next: Next): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: string | null = null, isLast = false; !isLast; isLast = cursor === null) {
    const page = await (await next(withQuery(call, { cursor }))).json()
    const { data, next_cursor } = page as { data: Json[]; next_cursor: string | null }
    all.push(...data)
    cursor = next_cursor
  }
  return all
}
