import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deposit } from '../src/control/pay.ts'
import { createApp } from '../src/index.ts'
import { post } from '../src/ledger/post.ts'
import { RULES, reconcile } from '../src/ledger/reconcile.ts'
import { OUTSIDE } from '../src/seed/data.ts'
import {
  createAsker,
  newPayer,
  newTxId,
  type Payer,
  payment,
  readBalance,
  signInPartner,
} from './callers.ts'

const sandbox = await createApp({ checksResponses: true })
sandbox.clock.freeze()
let payer: Payer
beforeEach(async () => {
  payer = await newPayer(sandbox, 10_000n)
})
afterAll(() => sandbox.close())

describe('a posting', () => {
  let posting: Omit<Parameters<typeof post>[1], 'to'>
  beforeEach(() => {
    posting = { id: payer.account_id, step: 'incoming', from: OUTSIDE, amount: 500n, at: 0 }
  })

  test('moves nothing if the balance is too low, and everything if it suffices', async () => {
    const from = payer.account_id
    const everything = { ...posting, from, to: OUTSIDE, amount: 10_000n }
    for (const amount of [10_001n, 10n ** 15n + 1n])
      await expect(writePosting({ ...everything, amount })).rejects.toThrow('too little')
    expect(await readBalance(sandbox, from)).toBe(10_000n)
    expect(await readFindings()).toEqual([])

    await writePosting(everything)
    expect(await readBalance(sandbox, from)).toBe(0n)
    expect(await readFindings()).toEqual([])
  })

  test('happens once', async () => {
    await writePosting({ ...posting, to: payer.account_id })
    await expect(writePosting({ ...posting, to: payer.account_id })).rejects.toThrow(/unique/i)
    expect(await readBalance(sandbox, payer.account_id)).toBe(10_500n)
    expect(await readFindings()).toEqual([])
  })

  test.each([0n, -1n])('of %d is refused: it would move money the other way', async (amount) => {
    await expect(writePosting({ ...posting, to: payer.account_id, amount })).rejects.toThrow(
      RangeError,
    )
    expect(await readFindings()).toEqual([])
  })
})

describe('reconciling', () => {
  beforeAll(async () => {
    payer = await newPayer(sandbox, 10_000n)
    const shop = await signInPartner(sandbox)
    await deposit(sandbox.context, payer.account_id, '1.00')

    const body = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
    const charge = await shop('POST', '/pix/qrcode/dynamic/immediate', { body })

    const pay = createAsker(sandbox.service, payer.token)
    expect((await pay(...payment(charge.body.emv))).status).toBe(201)

    await sandbox.worker.moveTo(sandbox.clock.now() + 100)
    expect((await pay(...payment())).status).toBe(201)

    await sandbox.store.read((queries) => queries.run('PRAGMA foreign_keys = OFF'))
    await sandbox.store.read((queries) => queries.run('PRAGMA ignore_check_constraints = ON'))
  })

  /** For each rule, a change that violates it. It may violate others too. */
  const breaches: Record<string, string> = {
    'the entries of a step do not sum to zero': `UPDATE entries SET amount = amount + 1 WHERE step = 'settle'`,
    'a balance is not the sum of its entries': 'UPDATE accounts SET balance = balance + 1',
    'an account is overdrawn': `UPDATE accounts SET balance = -1 WHERE standing = 'own'`,
    'the money on hold differs from the pending transfers': `UPDATE transfers SET status = 'settled' WHERE status = 'pending'`,
    'a transfer put no money on hold, or another amount':
      'UPDATE transfers SET amount = amount + 1',
    'money moved for a transfer that does not exist': `DELETE FROM transfers WHERE status = 'settled'`,
    'a settled transfer did not reach its payee, or a rejected one its payer': `DELETE FROM entries WHERE step = 'settle'`,
    'a pending transfer has entries after its hold': `UPDATE transfers SET status = 'pending'`,
    'a pending transfer has no due time, or a finished one has':
      'UPDATE transfers SET due_at = NULL',
    'a charge was settled more than once': `UPDATE transfers SET status = 'settled', qrcode_id = (SELECT id FROM qrcodes LIMIT 1)`,
    'a charge was paid by a transfer and from outside': `INSERT INTO entries SELECT id, 'incoming', account_id, 1, 0 FROM qrcodes`,
    'a paid charge received no money, or an unpaid one did': `UPDATE qrcodes SET status = 'CONCLUIDA'`,
    'a charge refers to a transfer that does not exist or was rejected': `UPDATE transfers SET status = 'rejected'`,
    'a paid charge has no payment, or an unpaid one has one': 'UPDATE qrcodes SET payment = NULL',
    'a paid charge shows another payment than the one that paid it': `UPDATE qrcodes SET payment = '{"end_to_end_id":"E1"}' WHERE payment IS NOT NULL`,
    'a payment from outside did not reach its account': 'UPDATE incoming SET amount = amount + 1',
    'a finished transfer has no event, a wrong one, or several': `UPDATE events SET type = 'transfer.rejected'`,
    'a paid charge has no event or several, or an unpaid one has an event': `DELETE FROM events WHERE type = 'qrcode.paid'`,
    'a credit of a partner has no event, several, or one for somebody else': `UPDATE events SET partner_id = '8d1f6a90-5b1e-4c55-8a37-6f2f4f0e9b02'`,
    'an event reports a credit that did not happen': `UPDATE events SET record_id = 'nothing'`,
  }

  test('has a violation of each rule', () => {
    expect(Object.keys(breaches)).toEqual(Object.keys(RULES))
  })

  test.each(Object.entries(breaches))('finds that %s', async (name, breach) => {
    expect(await readFindings()).toEqual([])

    let broken: string[] = []
    const undone = sandbox.store.write(async (queries) => {
      await queries.run(breach)
      broken = await reconcile(queries)
      throw new Error('as it was')
    })
    await expect(undone).rejects.toThrow('as it was')
    expect(broken).toContainEqual(expect.stringContaining(`${name}: `))
  })
})

/** Posts in a transaction, which fails with "too little" if the balance is too low. */
function writePosting(posting: Parameters<typeof post>[1]): Promise<void> {
  const refuse = () => {
    throw new Error('too little')
  }
  return sandbox.store.write((queries) => post(queries, posting, refuse))
}

function readFindings(): Promise<string[]> {
  return sandbox.store.read(reconcile)
}
