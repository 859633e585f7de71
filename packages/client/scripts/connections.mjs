const PAYMENT = {
  type: 'dict',
  amount: '10.50',
  initiation_id: 'ini_1',
  dict_key: 'a@example.com',
}

/**
 * Pays `tries` times in each scenario of `connection-server.ts`, after a read that leaves its
 * connection in the pool. Returns the kinds of the outcomes, each with its count.
 */
export async function useConnections({ createPayments }, origin, tries) {
  const plain = createPayments({
    baseUrl: `${origin}/plain`,
    auth: { clientKey: 'partner', clientSecret: 'secret' },
  })
  const together = [plain, plain, plain, plain]
  const kinds = { plain: {}, ending: {}, stray: {} }
  for (const kind of await payInTurn(plain, tries)) count(kinds.plain, kind)
  for (const kind of await Promise.all(together.map(pay))) count(kinds.plain, kind)

  for (const scenario of ['ending', 'stray']) {
    const auth = { token: () => 't' }
    const payments = createPayments({ baseUrl: `${origin}/${scenario}`, auth })
    for (const kind of await payInTurn(payments, tries)) count(kinds[scenario], kind)
  }
  return kinds
}

async function payInTurn(payments, tries) {
  const kinds = []
  for (let number = 0; number < tries; number++) {
    await payments.users.list().result()
    kinds.push(await pay(payments))
  }
  return kinds
}

async function pay(payments) {
  const { kind } = await payments.transfers.create(PAYMENT).result()
  return kind
}

function count(counts, kind) {
  counts[kind] = (counts[kind] ?? 0) + 1
}
