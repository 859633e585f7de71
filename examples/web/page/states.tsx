import type { Payment } from '../shared/payment.ts'

type Tone = 'good' | 'bad' | 'waits' | 'unsure'
interface Words {
  readonly tone: Tone
  readonly title: string
  readonly text: string
}

const UNKNOWN = 'Outcome unknown – we are finding out'

const OUT: Readonly<Record<Payment['state'], Words>> = {
  checked: {
    tone: 'waits',
    title: 'Not confirmed',
    text: 'Nothing was paid.',
  },
  sending: {
    tone: 'waits',
    title: 'Sending',
    text: 'This takes a moment.',
  },
  pending: {
    tone: 'waits',
    title: 'On its way',
    text: 'The payment was accepted. This changes when it is settled.',
  },
  open: {
    tone: 'waits',
    title: 'Open',
    text: '',
  },
  unknown: {
    tone: 'unsure',
    title: UNKNOWN,
    text: 'It may have been paid. Do not pay again: this changes as soon as we know.',
  },
  settled: {
    tone: 'good',
    title: 'Paid',
    text: 'The recipient has the money.',
  },
  rejected: {
    tone: 'bad',
    title: 'Rejected',
    text: 'The money is in your account again.',
  },
  refused: {
    tone: 'bad',
    title: 'Not paid',
    text: 'Nothing was paid.',
  },
}
const IN: Readonly<Record<Payment['state'], Words>> = {
  ...OUT,
  open: {
    tone: 'waits',
    title: 'Waiting for payment',
    text: 'This changes when somebody pays the code.',
  },
  unknown: {
    tone: 'unsure',
    title: UNKNOWN,
    text: 'The code may exist. It appears here as soon as we know.',
  },
  settled: {
    tone: 'good',
    title: 'Received',
    text: 'The money is in your account.',
  },
  rejected: {
    tone: 'bad',
    title: 'Cancelled',
    text: 'Nobody can pay this code.',
  },
  refused: {
    tone: 'bad',
    title: 'Not created',
    text: 'Create another code.',
  },
}

function wordsOf({ direction, state }: Payment): Words {
  return direction === 'out' ? OUT[state] : IN[state]
}

export function Pill({ payment }: { payment: Payment }) {
  const { tone, title } = wordsOf(payment)
  return <Badge tone={tone}>{title}</Badge>
}

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="pill" style={{ color: `var(--${tone})` }}>
      {children}
    </span>
  )
}

/** What became of a payment. Put it into a live region. */
export function Outcome({ payment }: { payment: Payment }) {
  const { tone, title, text } = wordsOf(payment)
  return (
    <div className="outcome" style={{ color: `var(--${tone})` }}>
      <strong>{title}</strong>
      <p>
        {payment.reason} {text}
      </p>
    </div>
  )
}

type Values = Readonly<Record<string, string | null>>

/** Who pays or is paid, and how much; of a payment that we received, also when and its id. */
export function Facts({ payment, more }: { payment: Payment; more?: Values }) {
  const { direction, receipt, name, document, amount } = payment
  if (direction === 'in' && receipt)
    return (
      <Rows
        values={{
          From: name,
          'CPF or CNPJ': document,
          'Amount paid': money(receipt.amount),
          Paid: timeOf(receipt.settled_at),
          'End-to-end id': receipt.end_to_end_id,
        }}
      />
    )

  const to = direction === 'out' ? name : null
  return <Rows values={{ To: to, 'CPF or CNPJ': document, Amount: money(amount), ...more }} />
}

/** Names with their values. What has no value is left out. */
export function Rows({ values }: { values: Values }) {
  const rows = Object.entries(values).filter(([, value]) => value)
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const brasilia = new Intl.DateTimeFormat('en', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'medium',
  timeStyle: 'medium',
})

/** In the official time of Brazil, which receipts show, wherever the browser is. */
export function timeOf(timestamp: string): string {
  return `${brasilia.format(new Date(timestamp))} (Brasília)`
}

const reais = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })

/** Such as `R$ 12.34`. Exact: the amount stays text. */
export function money(amount: string | null): string | null {
  if (!amount) return null
  return `R$\u00a0${reais.format(amount as `${number}`)}`
}
