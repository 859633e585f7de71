const TRANSFER = { type: 'dict', amount: '10.50', initiation_id: 'ini_1', dict_key: 'a@example.com' }

/** Sends requests of effect `once` in each scenario over kept-alive connections. Returns each outcome. */
export async function sendOnce(createPayments, origin, scenarios) {
  const ends = {}
  for (const scenario of scenarios) {
    const baseUrl = `${origin}/${scenario}`
    const payments = createPayments({ baseUrl, auth: { token: () => 't' }, random: () => 0 })
    const calls = {
      POST: () => payments.transfers.create(TRANSFER),
      PATCH: () => payments.webhooks.rotateSecret('w'),
    }
    for (const [method, call] of Object.entries(calls)) {
      for (let warmUp = 0; warmUp < 3; warmUp++) await payments.users.list()
      ends[`${scenario} ${method}`] = (await call().result()).kind
    }
  }
  return ends
}
