import { createPayments, logging } from '@partner-payments/client'
import { validation } from '@partner-payments/client/validation'

const customer = {
  customer_id: 'b7f2a2c4-6f0e-4a3e-9b39-9e6c9c5f3a10',
  user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
}

/**
 * Signs in, pays a key for a customer, and causes a 404, an abort and a refused connection. Returns
 * each outcome.
 */
export async function flow(baseUrl) {
  const statuses = []
  const fetch = logging(({ status }) => statuses.push(status), {
    fetch: validation({ mode: 'enforce' }),
  })
  const auth = { clientKey: 'partner', clientSecret: 'secret' }
  const payments = createPayments({ baseUrl, auth, fetch })
  const payee = await payments.as(customer).keys.check('beltrana@example.com')
  const paid = await payee.pay({ amount: '25.00' })
  const missing = await payments.users.get('nobody', { headers: { prefer: 'code=404' } }).result()
  const aborted = await payments.users.list({ signal: AbortSignal.abort() }).result()
  const unreachable = createPayments({
    baseUrl: 'http://127.0.0.1:2',
    auth: { token: () => 't' },
  })
  const payment = { type: 'emv', emv: '000201', amount: '1.00' }
  const refused = await unreachable.transfers.create(payment).result()
  return {
    paid: paid.status,
    missing: missing.status,
    aborted: aborted.kind,
    refused: refused.kind,
    statuses,
  }
}
