import { attacksOn, startHostileServer } from './hostile-server.mjs'

/** Pays and rotates under each attack, through each door. Returns how many requests were sent, and what went wrong. */
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
  const bodyOf = (description) => ({ type: 'emv', emv: '0', amount: '10.50', description })
  const out = '/mobile-bff/v1/pix/out/'
  const secret = '/mobile-bff/v1/partner/webhook/{webhook_id}/secret'
  const kindOf = (response) => (response.ok ? 'ok' : 'http')
  const doors = {
    payments: async (id) => (await payments.transfers.create(bodyOf(id)).result()).kind,
    openapiFetch: async (id) => kindOf((await api.POST(out, { body: bodyOf(id) })).response),
    safeFetch: async (id) =>
      kindOf(
        await safeFetch(
          new Request(server.url + out, { method: 'POST', body: JSON.stringify(bodyOf(id)) }),
        ),
      ),
    rotation: async (webhook_id) =>
      kindOf((await api.request('patch', secret, { params: { path: { webhook_id } } })).response),
  }
  const wrong = []
  let sent = 0
  for (const [door, call] of Object.entries(doors)) {
    const isRotation = door === 'rotation'
    for (const attack of attacksOn(isRotation ? 200 : 201, step)) {
      const id = `${door}${++sent}`
      server.set(attack)
      // A read before, whose connection may be kept alive.
      if (sent % 7 === 0) await payments.users.list().result()
      const kind = await call(id).catch((error) =>
        error instanceof PaymentsError ? error.kind : `${error}`,
      )
      const count = server.countOf(isRotation ? secret.replace('{webhook_id}', id) : id)
      // An error response of which only the status is believed has no JSON object to return.
      const isBelieved = kind === attack.means || attack.mayBe.includes(kind)
      const isOnce = count <= 1 || attack.mayRepeat
      if (!isBelieved || !isOnce)
        wrong.push(`${door}, ${attack.name}: ${kind}, sent ${count} times`)
    }
  }
  server.close()
  return { sent, wrong }
}
