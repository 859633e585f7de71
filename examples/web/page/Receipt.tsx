import { useEffect, useState } from 'react'
import type { Party, Payment } from '../shared/payment.ts'
import { call, useActivity } from './api.ts'
import { Facts, money, Outcome, Rows, timeOf } from './states.tsx'

/**
 * The receipt of a settled payment. Of any other, all that is known, as it changes; of an unknown
 * outcome, what to ask the service about.
 */
export function Receipt({ id }: { id: string }) {
  const { activity } = useActivity()
  const [payment, setPayment] = useState<Payment>()
  const [problem, setProblem] = useState('Loading…')
  // Again after each change.
  useEffect(() => {
    call<Payment>(`/api/payments/${id}`).then(setPayment, ({ message }) => setProblem(message))
  }, [id, activity])
  return (
    <main className="receipt">
      <section>
        <h1>{payment?.receipt ? 'Receipt' : 'Payment'}</h1>
        <div role="status">{payment ? <Outcome payment={payment} /> : problem}</div>
        {payment && <Details payment={payment} />}
        <a href="/">Back to payments</a>
      </section>
    </main>
  )
}

function Details({ payment }: { payment: Payment }) {
  const { receipt } = payment
  if (!receipt)
    return (
      <Facts
        payment={payment}
        more={{
          Time: timeOf(new Date(payment.at).toISOString()),
          'End-to-end id': payment.end_to_end_id,
          'Our id': payment.id,
          'Request id': payment.request_id,
        }}
      />
    )

  const { amount, settled_at, payer, payee, message, tx_id, end_to_end_id } = receipt
  return (
    <Rows
      values={{
        Amount: money(amount),
        'Date and time': timeOf(settled_at),
        ...rowsOf('From', payer),
        ...(payee ? rowsOf('To', payee) : {}),
        Message: message,
        Txid: tx_id,
        'End-to-end id': end_to_end_id,
      }}
    />
  )
}

/** Of a payer or a payee. A receipt shows neither the number of an account nor our own ids. */
function rowsOf(title: 'From' | 'To', { name, document, ispb }: Party) {
  const institution = ispb === '' ? null : `ISPB ${ispb}`
  return {
    [title]: name,
    [`${title}: CPF or CNPJ`]: document,
    [`${title}: institution`]: institution,
  }
}
