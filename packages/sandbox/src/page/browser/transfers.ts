import { moment, money } from './format.ts'
import type { Transfer } from './state.ts'
import { empty, html, List, pill, type View } from './view.ts'

const NOTHING =
  'No transfer yet. Pay a key above, or look a key up with `POST /mobile-bff/v1/pix/dict/check/`, then pay it with `POST /mobile-bff/v1/pix/out/` and the `initiation_id` of the response.'

export function transfersView(transfers: readonly Transfer[]): View {
  if (transfers.length === 0) return empty(NOTHING)
  const label = 'The last transfers, newest first'
  return html`<${List} noun="transfers" label=${label} most=${10} rows=${transfers.map(rowOf)} />`
}

function rowOf(transfer: Transfer): View {
  const { id, status, amount, payer, payee, payee_standing, rejection_message } = transfer
  const where = payee_standing === 'outside' ? ', at another institution' : ''
  const rejection =
    rejection_message === '' ? null : html`<div class="why">${rejection_message}</div>`
  return html`<li class="line" key=${id}>
    ${pill(status)}
    <div class="what">
      <div><b class="amount">${money(amount)}</b> ${payer} → ${payee}${where}</div>
      ${rejection}
      <code class="under">${transfer.initiation_type} ${transfer.end_to_end_id}</code>
    </div>
    <span class="soft">${moment(transfer.created_at)}</span>
  </li>`
}
