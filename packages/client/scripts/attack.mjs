import { attacksOn, startHostileServer } from './hostile-server.mjs'

const OUT = '/mobile-bff/v1/pix/out/'
const SECRET = '/mobile-bff/v1/partner/webhook/{webhook_id}/secret'

/**
 * Pays and rotates under each attack, through each door. Returns how many requests were sent, and
 * what went wrong.
 */
export async function attackClient(
  { createPayments, createClient, createSafeFetch, PaymentsError },
  step = 1,
) {
  const server = await startHostileServer()
  const options = {
    baseUrl: server.url,
    auth: { token: () => 't' },
    random: () => 0,
    attemptTimeout: 3000,
  }
  const payments = createPayments(options)
  const api = createClient(payments)
  const safeFetch = createSafeFetch(payments)

  // Each door sends a request with an id, by which the server counts it, and returns how it ended.
  const doors = {
    async payments(id) {
      const { kind } = await payments.transfers.create(paymentOf(id)).result()
      return kind
    },
    async openapiFetch(id) {
      const { response } = await api.POST(OUT, { body: paymentOf(id) })
      return kindOf(response)
    },
    async safeFetch(id) {
      const body = JSON.stringify(paymentOf(id))
      const response = await safeFetch(new Request(server.url + OUT, { method: 'POST', body }))
      return kindOf(response)
    },
    async rotation(webhook_id) {
      const params = { path: { webhook_id } }
      const { response } = await api.request('patch', SECRET, { params })
      return kindOf(response)
    },
  }

  const wrong = []
  let sent = 0
  for (const [door, call] of Object.entries(doors)) {
    const isRotation = door === 'rotation'
    for (const attack of attacksOn(isRotation ? 200 : 201, step)) {
      sent++
      const id = `${door}${sent}`
      server.set(attack)
      // A read before, whose connection may be kept alive.
      if (sent % 7 === 0) await payments.users.list().result()
      const kind = await call(id).catch((error) => {
        return error instanceof PaymentsError ? error.kind : `${error}`
      })
      const count = server.countOf(isRotation ? SECRET.replace('{webhook_id}', id) : id)
      // An error response of which only the status is believed has no JSON object to return.
      const isBelieved = kind === attack.means || attack.mayBe.includes(kind)
      const isOnce = count <= 1 || attack.mayRepeat
      if (!isBelieved || !isOnce) {
        wrong.push(`${door}, ${attack.name}: ${kind}, sent ${count} times`)
      }
    }
  }
  server.close()
  return { sent, wrong }
}

function paymentOf(description) {
  return {
    type: 'emv',
    emv: '0',
    amount: '10.50',
    description,
  }
}

function kindOf(response) {
  return response.ok ? 'ok' : 'http'
}
