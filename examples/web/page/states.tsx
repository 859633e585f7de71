import type { Payment } from '../shared/payment.ts'

type Tone = 'good' | 'bad' | 'waits' | 'unsure'
type Words = readonly [tone: Tone, title: string, text: string]

const UNKNOWN = 'Outcome unknown – we are finding out'

const OUT: Readonly<Record<Payment['state'], Words>> = {
  checked: ['waits', 'Not confirmed', 'Nothing was paid.'],
  sending: ['waits', 'Sending', 'This takes a moment.'],
  pending: ['waits', 'On its way', 'The payment was accepted. This changes when it is settled.'],
  open: ['waits', 'Open', ''],
  unknown: [
    'unsure',
    UNKNOWN,
    'It may have been paid. Do not pay again: this changes as soon as we know.',
  ],
  settled: ['good', 'Paid', 'The recipient has the money.'],
  rejected: ['bad', 'Rejected', 'The money is in your account again.'],
  refused: ['bad', 'Not paid', 'Nothing was paid.'],
}
const IN: Readonly<Record<Payment['state'], Words>> = {
  ...OUT,
  open: ['waits', 'Waiting for payment', 'This changes when somebody pays the code.'],
  unknown: ['unsure', UNKNOWN, 'The code may exist. It appears here as soon as we know.'],
  settled: ['good', 'Received', 'The money is in your account.'],
  rejected: ['bad', 'Cancelled', 'Nobody can pay this code.'],
  refused: ['bad', 'Not created', 'Create another code.'],
}
const wordsOf = ({ direction, state }: Payment) => (direction === 'out' ? OUT : IN)[state]

export function Pill({ of }: { of: Payment }) {
  const [tone, title] = wordsOf(of)
  return <Badge tone={tone}>{title}</Badge>
}

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="pill" style={{ color: `var(--${tone})` }}>
      {children}
    </span>
  )
}

/** What became of it. Put it into a live region. */
export function Outcome({ of }: { of: Payment }) {
  const [tone, title, text] = wordsOf(of)
  return (
    <div className="outcome" style={{ color: `var(--${tone})` }}>
      <strong>{title}</strong>
      <p>
        {of.reason} {text}
      </p>
    </div>
  )
}

/** Who is paid and how much. What has no value is left out. */
export function Facts({
  of,
  more,
}: {
  of: Payment
  more?: Readonly<Record<string, string | null>>
}) {
  const to = of.direction === 'out' ? of.name : null
  const rows = { To: to, 'CPF or CNPJ': of.document, Amount: money(of.amount), ...more }
  const shown = Object.entries(rows).filter(([, value]) => value)
  return (
    <dl>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const reais = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })

/** Such as `R$ 12.34`. Exact: the amount stays text. */
export const money = (amount: string | null) =>
  amount && `R$\u00a0${reais.format(amount as `${number}`)}`
