import { DYNAMIC, field, refusing, responding, words } from './kit.ts'
import { lists } from './lists.ts'
import { type Services, together } from './service.ts'

const CHECK = /^checkCode$/
const CODES = /QrCode|checkCode|^qrcode\./
const KINDS = { Immediate: 'Dynamic', DueDate: 'DynamicDueDate' }
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export const qrCodes: Services = {
  'list-numbered': lists({
    numbered: true,
    envelope: ({ items, number, total }) => ({ data: items, page: number, total }),
  }),
  'status-lower': words(/^status$/, CODES, { ATIVA: 'ativa', CONCLUIDA: 'concluida', [REMOVED]: 'removida' }),
  'code-words': together(words(/^qrcode_type$/, CHECK, KINDS), words(/^kind$/, DYNAMIC, KINDS)),
  'code-expiration-seconds': responding(CHECK, (it, _, { app }) => {
    const seconds = Math.ceil((Date.parse(String(it.expiration)) - app.clock.now()) / 1000)
    return { ...it, expiration: it.expiration && String(seconds) }
  }),
  'code-url-https': field({ name: /^url$/, scope: CODES, show: (value) => value && `https://${value}` }),
  'value-change-never': responding(CHECK, (it) => ({ ...it, allow_value_change: false })),
  'original-net': responding(CHECK, (it) => ({
    ...it,
    original_amount: (Number(it.original_amount) - Number(it.deduction)).toFixed(2),
  })),
  'image-data-url': field({ name: /^qrcode_image$/, show: (value) => `data:image/png;base64,${value}` }),
  'codes-strict': refusing(/^(checkCode|createTransfer)$/, [422, 'invalid_code'], ({ emv }) =>
    emv ? !/26\d\d0014br\.gov\.bcb\.pix/.test(String(emv)) : false,
  ),
}
