import { h } from './element.ts'
import { empty } from './empty.ts'
import { moment, money } from './format.ts'
import { firstOf } from './more.ts'
import { pill } from './pill.ts'
import type { Transfer } from './state.ts'
import { table } from './table.ts'

const NOTHING =
  'No transfer yet. Pay a key above, or look a key up with `POST /mobile-bff/v1/pix/dict/check/`, then pay it with `POST /mobile-bff/v1/pix/out/` and the `initiation_id` of the response.'

/** The last transfers, the newest first. */
export function transfersView(transfers: readonly Transfer[]): HTMLElement {
  if (transfers.length === 0) return empty(NOTHING)
  const { shown, more } = firstOf('transfers', transfers, 10)
  const drawn = table({
    caption: 'The last transfers, newest first',
    columns: ['When (UTC)', 'Status', 'Amount', 'Parties'],
    rows: shown.map((transfer) => ({ key: transfer.id, cells: cellsOf(transfer) })),
  })
  return h('div', {}, drawn, more)
}

function cellsOf(transfer: Transfer): (Node | string)[] {
  const { status, payer, payee, rejection_message, end_to_end_id, initiation_type } = transfer
  const why = h('p', { class: 'soft' }, rejection_message)
  return [
    moment(transfer.created_at),
    h('div', {}, pill(status), rejection_message !== '' && why),
    h('span', { class: 'amount' }, money(transfer.amount)),
    h('div', {}, `${payer} → ${payee}`, h('code', { class: 'under' }, `${initiation_type} ${end_to_end_id}`)),
  ]
}
