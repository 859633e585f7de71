import { empty, firstOf, h, pill } from './element.ts'
import { moment, money } from './format.ts'
import type { Transfer } from './state.ts'

const NOTHING =
  'No transfer yet. Pay a key above, or look a key up with `POST /mobile-bff/v1/pix/dict/check/`, then pay it with `POST /mobile-bff/v1/pix/out/` and the `initiation_id` of the response.'

/** The last transfers, newest first. */
export function transfersView(transfers: readonly Transfer[]): HTMLElement {
  if (transfers.length === 0) return empty(NOTHING)
  const { shown, more } = firstOf('transfers', transfers, 10)
  const attributes = { class: 'list', 'aria-label': 'The last transfers, newest first' }
  return h('div', {}, h('ol', attributes, ...shown.map(rowOf)), more)
}

function rowOf(transfer: Transfer): HTMLElement {
  const { id, status, amount, payer, payee, payee_standing, rejection_message } = transfer
  const { initiation_type, end_to_end_id } = transfer
  const where = payee_standing === 'outside' ? ', at another institution' : ''
  return h(
    'li',
    { class: 'line', 'data-key': id },
    pill(status),
    h(
      'div',
      { class: 'what' },
      h('div', {}, h('b', { class: 'amount' }, money(amount)), ` ${payer} → ${payee}${where}`),
      rejection_message !== '' && h('div', { class: 'why' }, rejection_message),
      h('code', { class: 'under' }, `${initiation_type} ${end_to_end_id}`),
    ),
    h('span', { class: 'soft' }, moment(transfer.created_at)),
  )
}
