import { moment, money } from './format.ts'
import type { Incoming, Transfer } from './state.ts'
import { empty, html, List, pill, type View } from './view.ts'

const NOTHING =
  'No transfer yet. Pay a key above, or look a key up with `POST /mobile-bff/v1/pix/dict/check/`, then pay it with `POST /mobile-bff/v1/pix/out/` and the `initiation_id` of the response.'

/** The transfers of accounts here, and the payments from other institutions. */
export function transfersView(transfers: readonly Transfer[], incoming: readonly Incoming[]): View {
  const rows = [
    ...transfers.map((transfer) => ({ at: transfer.created_at, row: transferRow(transfer) })),
    ...incoming.map((payment) => ({ at: payment.paid_at, row: incomingRow(payment) })),
  ]
  if (rows.length === 0) return empty(NOTHING)

  // Each of the two lists is in this order already, and times in UTC sort as text.
  const newestFirst = rows.toSorted((a, b) => b.at.localeCompare(a.at))
  const label = 'The last transfers, newest first'
  const views = newestFirst.map(({ row }) => row)
  return html`<${List} noun="transfers" label=${label} most=${10} rows=${views} />`
}

/** A transfer of an account here: amount, payer, payee and, if it was rejected, the reason. */
function transferRow(transfer: Transfer): View {
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

/** A payment that an account here received from another institution. */
function incomingRow({ id, amount, payer, payee, end_to_end_id, paid_at }: Incoming): View {
  return html`<li class="line" key=${id}>
    ${pill('received', 'good')}
    <div class="what">
      <div><b class="amount">${money(amount)}</b> ${payer}, at another institution → ${payee}</div>
      <code class="under">${end_to_end_id}</code>
    </div>
    <span class="soft">${moment(paid_at)}</span>
  </li>`
}
