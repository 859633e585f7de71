import { empty, firstOf, h, hidden, pill } from './element.ts'
import { moment, money } from './format.ts'
import type { QrCode } from './state.ts'

const NOTHING =
  'No QR code yet. Make one with `POST /mobile-bff/v1/pix/qrcode/dynamic/immediate`, `…/dynamic/due-date` or `…/static/`.'
const KINDS: Readonly<Record<string, string>> = {
  DueDate: 'Due date',
  Immediate: 'Immediate',
  Static: 'Static',
}

/** The last QR codes, with a button that pays one from outside. */
export function qrcodesView(qrcodes: readonly QrCode[]): HTMLElement {
  if (qrcodes.length === 0) return empty(NOTHING)
  const { shown, more } = firstOf('QR codes', qrcodes, 5)
  return h(
    'div',
    {},
    h('ul', { class: 'list', 'aria-label': 'The last QR codes, newest first' }, ...shown.map(card)),
    more,
  )
}

function card(code: QrCode): HTMLElement {
  const kind = KINDS[code.kind] ?? code.kind
  const amount = /[1-9]/.test(code.amount) ? money(code.amount) : 'Any amount'
  const src = `data:image/png;base64,${code.qrcode_image}`
  return h(
    'li',
    { class: 'code', 'data-key': code.id },
    h('img', { src, alt: `QR code of ${code.tx_id || code.id}`, width: '116', height: '116' }),
    h(
      'div',
      {},
      h('h3', {}, amount, ' ', pill(code.status)),
      h('p', { class: 'soft' }, `${kind} · `, moment(code.created_at)),
      h('p', {}, h('code', {}, code.tx_id)),
      h('p', {}, h('code', { class: 'cut', id: `emv-${code.id}`, title: code.emv }, code.emv)),
      h('p', { class: 'buttons' }, ...buttons(code)),
    ),
  )
}

function buttons({ id, tx_id, kind, status }: QrCode): HTMLElement[] {
  const which = hidden(` of ${tx_id || id}`)
  const copy = h(
    'button',
    { type: 'button', 'data-action': 'copy', 'data-from': `emv-${id}` },
    'Copy code',
    which,
  )
  if (kind === 'Static' || status !== 'ATIVA') return [copy]
  const attributes = { type: 'button', 'data-action': 'pay', 'data-id': id }
  return [copy, h('button', attributes, 'Pay from outside', hidden(` ${tx_id || id}`))]
}
