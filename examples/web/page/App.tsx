import { useEffect, useState } from 'react'
import { amountOf, codeOf, keyOf } from '../shared/input.ts'
import type { Activity, Demo } from '../shared/payment.ts'
import { call, useActivity } from './api.ts'
import { Flow } from './Flow.tsx'
import { Badge, money, Pill } from './states.tsx'

/** The whole page. */
export function App() {
  const { activity, isLive } = useActivity()
  const [demo, setDemo] = useState<Demo | null>()
  useEffect(() => {
    call<Demo | null>('/api/demo').then(setDemo, () => setDemo(null))
  }, [])
  if (!activity || demo === undefined) return <p>Loading…</p>
  const { payments } = activity
  return (
    <>
      <header>
        <h1>Payments</h1>
        <Badge tone={isLive ? 'good' : 'waits'}>{isLive ? 'Live' : 'Connecting'}</Badge>
        {demo && (
          <p className="soft">
            No money moves: this is a sandbox. <a href={demo.sandbox}>Its page</a> pays your QR
            codes, and simulates failures.
          </p>
        )}
      </header>
      <main>
        <Flow
          title="Pay a key"
          path="/api/keys"
          label="Pix key"
          hint="CPF, CNPJ, e-mail, telephone with +55, or random key"
          read={keyOf}
          invalid="This is not a Pix key."
          first={demo?.key}
          button="Check who has the key"
          payments={payments}
        />
        <Flow
          title="Pay a code"
          path="/api/codes"
          label="Pix code"
          hint="The text of a QR code (Pix copia e cola)"
          read={codeOf}
          invalid="This is not a Pix code, or a part of it is missing."
          first={demo?.code}
          button="Check recipient and amount"
          payments={payments}
        />
        <Flow
          title="Be paid by QR code"
          path="/api/charges"
          label="Amount in reais"
          hint="Such as 35.90"
          read={amountOf}
          invalid="Type an amount above zero, such as 35.90."
          first={demo ? '35.90' : undefined}
          button="Create QR code"
          payments={payments}
        />
        <History activity={activity} />
      </main>
    </>
  )
}

function History({ activity: { payments, paid, received } }: { activity: Activity }) {
  return (
    <section aria-label="Activity" className="wide">
      <h2>Activity</h2>
      <p className="soft">
        Received {money(received)}, paid {money(paid)}
      </p>
      <ul>
        {payments.map((payment) => (
          <li key={payment.id}>
            <a href={`/receipts/${payment.id}`}>{payment.name}</a>
            <Pill payment={payment} />
            <span className="amount">
              {payment.direction === 'out' ? '−' : '+'}
              {money(payment.amount)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
