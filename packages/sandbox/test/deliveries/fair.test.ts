import { encode } from '@partner-payments/brcode'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { issueTokens } from '../../src/auth/tokens.ts'
import { claimDue } from '../../src/deliveries/claim.ts'
import { createFlights, type Due } from '../../src/deliveries/flights.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { PARTNERS } from '../../src/seed/data.ts'
import { settleDue } from '../../src/transfers/settle.ts'
import { openBackends } from '../state/backends.ts'
import { call, times } from '../state/payers.ts'

const [ONE, OTHER] = PARTNERS
type Partner = (typeof PARTNERS)[number]

const backends = openBackends()
afterAll(() => backends.remove())

describe.each(['sqlite, in memory', 'postgres'] as const)('deliveries that are due, on %s', (kind) => {
  let sandbox: Sandbox
  let tokens: ReadonlyMap<Partner, string>
  beforeEach(async () => {
    sandbox = await createSandbox({ ...(await backends.emptyState(kind)), settleAfterMs: 0 })
    // Nothing is claimed but by the test.
    await sandbox.worker.close()
    tokens = new Map<Partner, string>([
      [ONE, await tokenOf(sandbox, ONE)],
      [OTHER, await tokenOf(sandbox, OTHER)],
    ])
  })
  afterEach(() => sandbox.close())

  const ask = async (partner: Partner, ...request: Parameters<typeof call>[2]) => {
    const { status, body } = await call(sandbox.service, tokens.get(partner) ?? '', request)
    expect(status).toBeLessThan(300)
    return body
  }
  const register = (partner: Partner, url: string) =>
    ask(partner, 'POST', '/partner/webhook', { type: 'all', url })
  const emit = async (partner: Partner) => {
    const emv = encode({ merchantName: 'Padaria', merchantCity: 'BRASILIA', key: 'vendas@padaria.example' })
    await ask(partner, 'POST', '/pix/out/', { type: 'emv', emv, amount: '0.01' })
    while ((await settleDue(sandbox.context)) > 0);
  }

  it.each([
    ['another origin', 'https://loja.example/pix'],
    ['the same origin', 'https://hooks.example/loja'],
  ])('start in the first look for a partner with one, to %s as 400 older ones', async (_, url) => {
    for (const i of times(20)) await register(ONE, `https://hooks.example/${i}`)
    const { id } = await register(OTHER, url)
    for (const _ of times(20)) await emit(ONE)
    await emit(OTHER)
    const { claimed } = await claimDue(sandbox.context, createFlights({ perKey: 4, total: 512 }))
    expect(claimed.filter(({ webhook_id }) => webhook_id === id)).toHaveLength(1)
  })

  it('follow a webhook to its new origin, although the old one has no capacity', async () => {
    const { id } = await register(ONE, 'https://hooks.example/pix')
    for (const _ of times(3)) await emit(ONE)
    const flights = createFlights({ perKey: 1, total: 512 })
    track(flights, (await claimDue(sandbox.context, flights)).claimed)
    const url = 'https://loja.example/pix'
    await ask(ONE, 'PATCH', `/partner/webhook/${id}`, { type: 'all', status: 'active', url })
    expect((await claimDue(sandbox.context, flights)).claimed).toMatchObject([{ url }])
  })

  it('of an earlier version, without a lane, start in the second look', async () => {
    await register(ONE, 'https://hooks.example/pix')
    for (const _ of times(3)) await emit(ONE)
    await sandbox.store.write((queries) => queries.run(`UPDATE deliveries SET lane = ''`))
    const flights = createFlights({ perKey: 4, total: 512 })
    expect(await claimDue(sandbox.context, flights)).toEqual({ claimed: [], more: 3 })
    expect((await claimDue(sandbox.context, flights)).claimed).toHaveLength(3)
  })
})

describe('the choice of lanes', () => {
  const lanes = (...names: string[]) => names.map((lane, i) => ({ lane, position: BigInt(i) }))

  it('prefers the partner with fewer deliveries in progress', () => {
    const flights = createFlights({ perKey: 4, total: 64 })
    track(flights, lanes('a x', 'a y'))
    const [, , third, fourth] = lanes('', '', 'a z', 'b x')
    expect(
      flights.choose(
        [third, fourth].flatMap((due) => due ?? []),
        2,
      ),
    ).toEqual(new Map([['b x', 2]]))
  })

  it('exceeds neither the capacity of an origin nor the total', () => {
    const due = lanes('a x', 'b x', 'c y')
    const chosen = (total: number) => createFlights({ perKey: 2, total }).choose(due, 16)
    expect(Object.fromEntries(chosen(64))).toEqual({ 'a x': 1, 'b x': 1, 'c y': 2 })
    expect(Object.fromEntries(chosen(3))).toEqual({ 'a x': 1, 'b x': 1, 'c y': 1 })
  })
})

/** Starts deliveries that do not end. */
function track(flights: ReturnType<typeof createFlights>, due: readonly Due[]) {
  for (const one of due) void flights.track(one, new Promise(() => {}), new Promise(() => {}))
}

async function tokenOf(
  { store, context }: Sandbox,
  { id: partner_id, account_id }: Partner,
): Promise<string> {
  const caller = { partner_id, customer_id: null, account_id }
  return (await store.write((queries) => issueTokens(queries, context, caller))).access_token
}
