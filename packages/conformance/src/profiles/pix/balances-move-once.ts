import { isSuccess, type Scene } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { type Balance, type Balances, balancesAtRest } from './balances.ts'
import { reaisOf } from './centavos.ts'
import { CHARGING, charge, transfer } from './payments.ts'

/** Centavos that are paid. */
const AMOUNT = 3n

/** A sandbox shows what its accounts hold; no operation of the contract does. */
export const balancesMoveOnce: Law = {
  id: 'balances-move-once',
  phase: 'data',
  identity: 'customer',
  needs: CHARGING,
  stateful: true,
  atStake: true,
  title:
    'A transfer takes its amount from the payer once and gives it to the receiver; one that is refused takes none.',
  advice: 'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  run: async (scene) => {
    const made = await charge(scene)
    const before = made && (await balancesAtRest(scene))
    if (!made || !before) return
    const refused = await transfer(scene, tooMuch(await lookedUp(scene)), 'customer')
    const between = await balancesAtRest(scene)
    if (!between || isSuccess(refused)) return scene.masked()
    const message = 'Expected a refused transfer to leave every balance, and one of them moved.'
    scene.expect(refused, movesOf(before, between).length > 0 ? message : undefined, { about: 'refused' })
    const paid = await transfer(scene, made.pay, 'customer')
    const after = isSuccess(paid) ? await balancesAtRest(scene) : undefined
    if (!after) return scene.masked()
    isMoved(scene, paid, movesOf(between, after))
    await tryOverdraft(scene, after.get(nodeOf(nodeOf(paid.body).data).account_id))
  },
}

function isMoved(scene: Scene, paid: Exchange, moves: readonly Move[]): void {
  const payer = nodeOf(nodeOf(paid.body).data).account_id
  const taken = moves.find(({ id }) => id === payer)?.by ?? 0n
  const given = moves.filter(({ id }) => id !== payer).reduce((sum, { by }) => sum + by, 0n)
  const left =
    taken === -AMOUNT ? undefined : `Expected 0.03 to be taken from the payer, got ${reaisOf(-taken)}.`
  scene.expect(paid, left, { about: 'payer' })
  const came = given === AMOUNT ? undefined : `Expected 0.03 to reach the receiver, got ${reaisOf(given)}.`
  scene.expect(paid, came, { about: 'receiver' })
}

/** A centavo more than the payer holds, which nobody else moves meanwhile. */
async function tryOverdraft(scene: Scene, own: Balance | undefined): Promise<void> {
  const looked = own && (await lookedUp(scene))
  if (!own || !looked) return scene.masked()
  const body = { ...looked, amount: reaisOf(own.balance + 1n) }
  const exchange = await transfer(scene, { body }, 'customer')
  const message = 'Expected a centavo more than the account holds to be refused, and it was accepted.'
  expectRefusal(scene, exchange, message, { about: 'overdraft', question: 'errors' })
}

interface Move {
  readonly id: unknown
  readonly by: bigint
}

/** The accounts whose balance moved, and by how much. */
function movesOf(before: Balances, after: Balances): Move[] {
  const moves = [...after].map(([id, { balance }]) => ({
    id,
    by: balance - (before.get(id)?.balance ?? balance),
  }))
  return moves.filter(({ by }) => by !== 0n)
}

async function lookedUp(scene: Scene): Promise<Readonly<Record<string, unknown>>> {
  const looked = await scene.accepted('checkKey', { who: 'customer' })
  const { initiation_id, dict_key } = nodeOf(looked?.body)
  return { type: 'dict', dict_key, initiation_id }
}

/** More than any account holds. */
function tooMuch(body: Readonly<Record<string, unknown>>) {
  return { body: { ...body, amount: '9999999999.99' } }
}
