import { useEffect, useState } from 'react'
import type { Payment } from '../shared/payment.ts'
import { call, useActivity } from './api.ts'
import { Facts, Outcome } from './states.tsx'

/**
 * All that is known of a payment, as it changes; of an unknown outcome, what to ask the service
 * about.
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
        <h1>{payment?.state === 'settled' ? 'Receipt' : 'Payment'}</h1>
        <div role="status">{payment ? <Outcome of={payment} /> : problem}</div>
        {payment && (
          <Facts
            of={payment}
            more={{
              Time: new Date(payment.at).toLocaleString('en', {
                dateStyle: 'medium',
                timeStyle: 'medium',
              }),
              'End-to-end id': payment.end_to_end_id,
              'Our id': payment.id,
              'Request id': payment.request_id,
            }}
          />
        )}
        <a href="/">Back to payments</a>
      </section>
    </main>
  )
}
