import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, type Identity, type Input, isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { requestWithRecords } from '../../rules/common/record-requests.ts'
import { itemOf } from '../../rules/lists/walk.ts'
import { type Balances, balancesAtRest } from './balances.ts'
import { centavosOf, reaisOf } from './centavos.ts'

const TRANSFER = 'createTransfer'
const CHARGE = 'createImmediateQrCode'

/** Only a sandbox shows balances: no operation of the contract does. */
export const moneyMoves: Rule = {
  id: 'money-moves',
  phase: 'lists',
  cites: 'contract',
  requires: 'customer',
  needs: [TRANSFER, CHARGE, 'checkKey', 'checkCode'],
  stateful: true,
  impact: 'critical',
  title:
    'A transfer takes its amount once, from the account of its token; a refused or rejected one takes nothing.',
  advice: 'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  run: async (context) => {
    await expectOwnAccounts(context)
    if (!context.clock.isControlled) return
    if (!(await tryPaid(context))) return context.inconclusive()
    await tryRefused(context)
    await tryRejected(context)
  },
}

/** Builds a transfer to a key or to a new charge of the partner. */
async function built(context: Context, identity: Identity, field: 'initiation_id' | 'emv') {
  const view = context.contract.operation(TRANSFER)
  const example = view.examples.findIndex((it) => valueAt(it, `/${field}`) !== undefined)
  return requestWithRecords(context, view, { identity, example, from: CHARGE })
}

function send(context: Context, input: Input, identity: Identity): Promise<Exchange> {
  return context.send(context.contract.operation(TRANSFER), input, { identity })
}

function accountOf({ body }: Exchange): unknown {
  return valueAt(body, '/data/account_id')
}

async function expectOwnAccounts(context: Context): Promise<void> {
  const paid: Exchange[] = []
  for (const identity of ['partner', 'customer'] as const) {
    const request = await built(context, identity, 'initiation_id')
    const exchange = request && (await send(context, request.input, identity))
    if (!exchange || !isSuccess(exchange)) return context.inconclusive()
    paid.push(exchange)
  }
  const [partner, customer] = paid
  if (!partner || !customer) return
  const message =
    'A transfer of a customer was paid from the account of the partner; expected that of the customer.'
  context.expect(customer, accountOf(partner) === accountOf(customer) ? message : undefined, {
    about: 'account',
    question: 'token-permissions',
    impact: 'high',
  })
}

async function tryRefused(context: Context): Promise<void> {
  const [request, before] = [await built(context, 'customer', 'initiation_id'), await balancesAtRest(context)]
  if (!request || !before) return context.inconclusive()
  const input = { ...request.input, body: { ...nodeOf(request.input.body), amount: '9999999999.99' } }
  const refused = await send(context, input, 'customer')
  const after = await balancesAtRest(context)
  if (!after || isSuccess(refused)) return context.inconclusive()
  const message = 'A refused transfer moved a balance; expected every balance as before.'
  context.expect(refused, movesOf(before, after).length > 0 ? message : undefined, { about: 'refused' })
}

/** Whether the transfer was accepted: otherwise the refusals of other transfers prove nothing. */
async function tryPaid(context: Context): Promise<boolean> {
  const [request, before] = [await built(context, 'customer', 'emv'), await balancesAtRest(context)]
  const paid = request && before && (await send(context, request.input, 'customer'))
  const after = paid && isSuccess(paid) ? await balancesAtRest(context) : undefined
  // If the ids of the balances have another form, the payer's balance is unknown.
  if (!request || !before || !paid || !after?.has(accountOf(paid))) return false
  const amount = centavosOf(nodeOf(request.input.body).amount) ?? 0n
  const moves = movesOf(before, after)
  const sum = (isPayer: boolean) =>
    moves.filter(({ id }) => (id === accountOf(paid)) === isPayer).reduce((all, { by }) => all + by, 0n)
  const [taken, given] = [-sum(true), sum(false)]
  const left = `A transfer of ${reaisOf(amount)} took ${reaisOf(taken)} from the payer; expected ${reaisOf(amount)}.`
  context.expect(paid, taken === amount ? undefined : left, { about: 'payer' })
  const came = `A transfer of ${reaisOf(amount)} gave ${reaisOf(given)} to the receiver; expected ${reaisOf(amount)}.`
  context.expect(paid, given === amount ? undefined : came, { about: 'receiver' })
  await tryOverdraft(context, after.get(accountOf(paid))?.balance)
  return true
}

/** Tries to transfer a centavo more than the balance of the payer. */
async function tryOverdraft(context: Context, balance: bigint | undefined): Promise<void> {
  const request = balance === undefined ? undefined : await built(context, 'customer', 'initiation_id')
  if (!request || balance === undefined) return context.inconclusive()
  const body = { ...nodeOf(request.input.body), amount: reaisOf(balance + 1n) }
  const exchange = await send(context, { ...request.input, body }, 'customer')
  const message = `${TRANSFER} accepted a centavo more than the account holds; expected a refusal.`
  expectRefusal(context, exchange, message, { about: 'overdraft', question: 'insufficient-funds' })
}

/** A sandbox rejects a payment to oneself. Then no balance has changed, and the charge is still open. */
async function tryRejected(context: Context): Promise<void> {
  const [request, before] = [await built(context, 'partner', 'emv'), await balancesAtRest(context)]
  const record = request?.records.find(({ view }) => view?.id === CHARGE)
  const own = request && (await send(context, request.input, 'partner'))
  const after = own && isSuccess(own) ? await balancesAtRest(context) : undefined
  const known = resourcesOf(context.contract).find(({ create }) => create.id === CHARGE)
  const { id, status } = nodeOf(record?.body)
  if (!request || !before || !record || !own || !after || !known?.list || status === undefined)
    return context.inconclusive()
  const moved = 'A rejected transfer moved a balance; expected every balance as before.'
  context.expect(own, movesOf(before, after).length > 0 ? moved : undefined, { about: 'rejected' })
  const shown = nodeOf(await itemOf(context, known, (it) => nodeOf(it).id === id)).status
  const closed = `${known.list.id} shows a charge whose payment was rejected as ${shown}; expected ${status}.`
  const at = { operation: known.list.id, contract: known.list.pointer, question: 'qr-statuses' }
  context.expect(record, shown === status ? undefined : closed, { ...at, about: 'rejected', impact: 'high' })
  const paid = await send(context, request.input, 'customer')
  const refused = `${TRANSFER} refused a charge whose first payment was rejected (${paid.response.status}); expected it to be paid.`
  context.expect(paid, isSuccess(paid) ? undefined : refused, {
    about: 'rejected, then paid',
    impact: 'high',
  })
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
