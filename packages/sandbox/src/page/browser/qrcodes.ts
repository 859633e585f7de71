import { moment, money } from './format.ts'
import type { QrCode } from './state.ts'
import { empty, hidden, html, List, pill, type View } from './view.ts'

const NOTHING =
  'No QR code yet. Make one with `POST /mobile-bff/v1/pix/qrcode/dynamic/immediate`, `…/dynamic/due-date` or `…/static/`.'
const KINDS: Readonly<Record<string, string>> = {
  DueDate: 'Due date',
  Immediate: 'Immediate',
  Static: 'Static',
}

export function qrcodesView(qrcodes: readonly QrCode[]): View {
  if (qrcodes.length === 0) return empty(NOTHING)
  const label = 'The last QR codes, newest first'
  return html`<${List} noun="QR codes" label=${label} most=${5} rows=${qrcodes.map(qrCodeCard)} />`
}

/** A QR code with its image, status and payment, and buttons to copy it and to pay it. */
function qrCodeCard(qrcode: QrCode): View {
  const { id, kind, status, tx_id, emv, qrcode_image, created_at, payment } = qrcode
  const name = tx_id || id
  const src = `data:image/png;base64,${qrcode_image}`
  const canPay = status === 'ATIVA'
  const pay = html`<button type="button" data-action="pay" data-id=${id}>Pay from outside${hidden(` ${name}`)}</button>`
  return html`<li class="code" key=${id}>
    <img src=${src} alt="QR code of ${name}" width="116" height="116" />
    <div>
      <h3>${describeAmount(qrcode)} ${pill(status)}</h3>
      <p class="soft">${KINDS[kind] ?? kind} · ${moment(created_at)}</p>
      ${payment ? paymentView(payment) : null}
      <p><code>${tx_id}</code></p>
      <p><code class="cut" id="emv-${id}" title=${emv}>${emv}</code></p>
      <p class="buttons">
        <button type="button" data-action="copy" data-from="emv-${id}">Copy code${hidden(` of ${name}`)}</button>
        ${canPay ? pay : null}
      </p>
    </div>
  </li>`
}

/** The amount that the code asks for. */
function describeAmount({ amount, allow_value_change }: QrCode): string {
  const hasAmount = /[1-9]/.test(amount)
  if (!hasAmount) return 'Any amount'
  return allow_value_change ? `${money(amount)}, or another amount` : money(amount)
}

/** What was paid, which may differ from what the code asks for. */
function paymentView({ amount, end_to_end_id, paid_at, payer }: Payment): View {
  return html`<p>
    Paid <b class="amount">${money(amount)}</b> by ${payer.name} · ${moment(paid_at)}
    <code class="under">${end_to_end_id}</code>
  </p>`
}

type Payment = NonNullable<QrCode['payment']>
