const TRANSFER = {
  type: 'dict',
  amount: '10.50',
  initiation_id: 'ini_1',
  dict_key: 'a@example.com',
}
const OUT = '/mobile-bff/v1/pix/out/'
const SECRET = '/mobile-bff/v1/partner/webhook/w/secret'

/** The calls of each way to send: a payment, and a rotation, which has no body. */
const DOORS = {
  createPayments: ({ createPayments }, options) => {
    const payments = createPayments(options)
    return {
      warmUp: () => payments.users.list(),
      POST: () => payments.transfers.create(TRANSFER),
      PATCH: () => payments.webhooks.rotateSecret('w'),
    }
  },
  createClient: ({ createClient }, options) => {
    const api = createClient(options)
    const path = SECRET.replace('/w/', '/{webhook_id}/')
    return {
      warmUp: () => api.GET('/mobile-bff/v1/partner/user'),
      POST: () => api.POST(OUT, { body: TRANSFER }),
      PATCH: () => api.PATCH(path, { params: { path: { webhook_id: 'w' } } }),
    }
  },
  createSafeFetch: ({ createSafeFetch }, options) => {
    const safeFetch = createSafeFetch(options)
    const { baseUrl } = options
    return {
      warmUp: () => safeFetch(`${baseUrl}/mobile-bff/v1/partner/user`),
      POST: () => safeFetch(baseUrl + OUT, { method: 'POST', body: JSON.stringify(TRANSFER) }),
      PATCH: () => safeFetch(new Request(baseUrl + SECRET, { method: 'PATCH' })),
    }
  },
}

export const doors = Object.keys(DOORS)

/**
 * Sends requests of effect `once` through a door in each scenario, over kept-alive connections.
 * Returns each outcome.
 */
export async function sendOnce(client, door, origin, scenarios) {
  const ends = {}
  for (const scenario of scenarios) {
    const options = {
      baseUrl: `${origin}/${scenario}`,
      auth: { token: () => 't' },
      random: () => 0,
    }
    const { warmUp, ...calls } = DOORS[door](client, options)
    for (const [method, call] of Object.entries(calls)) {
      for (let count = 0; count < 3; count++) await warmUp()
      const end = await call().catch((error) => error)
      ends[`${scenario} ${method}`] = kindOf(end)
    }
  }
  return ends
}

/** The kind of an error, else whether the result of openapi-fetch is a refusal. */
function kindOf(end) {
  if (end.kind !== undefined) return end.kind
  return end.error ? 'http' : 'ok'
}
