import { type Call, withBody } from '../call.ts'
import type { Faults } from '../fault.ts'
import { at, change, type Json, set } from '../json.ts'
import { bodyOf, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { after, retry, type Wrap } from '../wrap.ts'
import { lookedUp } from './look-up.ts'

const asked = ['copies'] as const
const balances = ['money-moves'] as const

/** Transfers with a wrong amount, payee or time, or a wrong representation. */
export const payments: Faults = {
  'old-initiation-pays': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals-later'],
    describe: 'An initiation_id pays whenever it is used.',
    service: forgettingAge,
  },
  'due-date-charge-of-any-amount': {
    operation: 'createTransfer',
    elsewhere: ['checkCode'],
    rule: ['refusals'],
    describe: 'A due-date charge is paid with its original amount, whatever its final one is.',
    service: payingOriginal,
  },
  'nothing-paid-for-an-open-code': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'A code that leaves its amount open is paid with nothing.',
    request: (body) => (body.type === 'emv' && body.amount === '0.00' ? { ...body, amount: '0.01' } : body),
  },
  'due-date-charge-paid-twice': {
    operation: 'createTransfer',
    elsewhere: ['checkCode', 'createDueDateQrCode'],
    rule: ['one-time-values'],
    describe: 'A due-date charge is paid a second time.',
    service: retry('createTransfer', ['code_paid'], reopened('DueDate')),
  },
  'cancelled-due-date-charge-paid': {
    operation: 'createTransfer',
    elsewhere: ['cancelDueDateQrCode'],
    rule: ['refusals'],
    describe: 'A due-date charge that was cancelled is paid.',
    service: retry('createTransfer', ['code_cancelled'], reopened('DueDate')),
  },
  'overdue-charge-paid': {
    operation: 'createTransfer',
    elsewhere: ['checkCode'],
    rule: ['refusals-later'],
    describe: 'A due-date charge is paid after its last day.',
    service: retry('createTransfer', ['code_expired'], prolonged),
  },
  'overdue-charge-checked': {
    operation: 'checkCode',
    rule: ['refusals-later'],
    describe: 'The code of a due-date charge is checked with success after its last day.',
    service: retry('checkCode', ['code_expired'], prolonged),
  },
  'expired-charge-checked': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'The code of an immediate charge is checked with success after its time.',
    service: retry('checkCode', ['code_expired'], longer),
  },
  'initiation-of-the-partner-for-a-customer': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals'],
    describe: 'What the partner looked up pays for a token that acts for a customer.',
    service: sharedInitiations,
  },
  'every-transfer-called-dict': {
    operation: 'createTransfer',
    rule: asked,
    describe: 'A transfer that pays a code says that it pays a key.',
    success: set('/data/initiation_type', 'DICT'),
  },
  'dynamic-called-static': {
    operation: 'createTransfer',
    rule: asked,
    describe: 'A transfer that pays a dynamic code says that it pays a static one.',
    success: change('/data/initiation_type', (it) => (it === 'QRDN' ? 'QRES' : it)),
  },
  'tx-id-of-transfer-lost': {
    operation: 'createTransfer',
    rule: asked,
    describe: 'A transfer that pays a code has no tx_id.',
    success: set('/data/tx_id', ''),
  },
  'beneficiary-is-the-payer': {
    operation: 'createTransfer',
    rule: asked,
    describe: 'A transfer shows its payer as its beneficiary.',
    success: (it) => set('/data/beneficiary', at(it, '/data/payer'))(it),
  },
  'end-to-end-id-reused': {
    operation: 'createTransfer',
    rule: ['invariants'],
    describe: 'Every transfer of a minute has the same end-to-end id.',
    success: change('/data/end_to_end_id', (it) => `${String(it).slice(0, -11)}AAAAAAAAAAA`),
  },
  'pending-and-settled': {
    operation: 'createTransfer',
    rule: ['invariants'],
    describe: 'A transfer that is pending says when it was settled.',
    success: (it) => set('/data/settled_at', new Date().toISOString())(set('/data/status', 'pending')(it)),
  },
  'pending-and-rejected': {
    operation: 'createTransfer',
    rule: ['invariants'],
    describe: 'A transfer that is pending says why it was rejected.',
    success: set('/data/rejection_message', 'Conta encerrada'),
  },
  'balance-stays': {
    operation: 'createTransfer',
    rule: balances,
    describe: 'A transfer leaves the balance of its payer.',
    service: moving((amount, { payer }) => [[payer, amount]]),
  },
  'balance-moves-twice': {
    operation: 'createTransfer',
    rule: balances,
    describe: 'A transfer takes its amount from the payer twice.',
    service: moving((amount, { payer }) => [[payer, -amount]]),
  },
  'receiver-not-credited': {
    operation: 'createTransfer',
    rule: balances,
    describe: 'What a transfer pays does not reach its receiver.',
    service: moving((amount, { payee }) => [[payee, -amount]]),
  },
  'refused-transfer-debited': {
    operation: 'createTransfer',
    rule: balances,
    describe: 'A transfer that is refused for want of funds takes a real from the account.',
    service: debitingRefused,
  },
}

/** Looks a key up again if its lookup has expired. */
function forgettingAge(sandbox: TestSandbox): ReturnType<Wrap> {
  const known = new Map<unknown, string>()
  const remember = after('checkKey', async ({ initiation_id }, call) => {
    known.set(initiation_id, lookUpOf(call))
  })(sandbox)
  const paid = retry('createTransfer', ['initiation_invalid', 'initiation_expired'], (call) => {
    // The only reason to refuse the caller of this lookup is its age.
    const isOwn = known.get(call.json?.initiation_id) === lookUpOf(call)
    return isOwn ? lookedUp(call, sandbox) : undefined
  })(sandbox)
  return (call, next) => (call.operation === 'checkKey' ? remember(call, next) : paid(call, next))
}

function lookUpOf({ headers, json }: Call): string {
  return `${headers.get('authorization')} ${json?.dict_key}`
}

/** Pays what is due for a due-date charge, but shows the original amount. */
function payingOriginal(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'createTransfer' || response.status !== 422) return response
    if ((await bodyOf(response))?.code !== 'amount_not_allowed') return response
    const authorization = call.headers.get('authorization')
    const check = await sandbox.send('POST', '/pix/brcode/emv/', {
      authorization,
      body: { emv: call.json?.emv },
    })
    if (check.qrcode_type !== 'DueDate' || check.original_amount !== call.json?.amount) return response
    const paid = await next(withBody(call, { ...call.json, amount: check.final_amount }))
    return paid.ok ? withJson(paid, set('/data/amount', call.json?.amount)(await bodyOf(paid))) : response
  }
}

/** Reopens a charge of a kind, as if it was not paid or cancelled. */
function reopened(kind: string) {
  return async (call: Call, sandbox: TestSandbox): Promise<Call> => {
    const values = [String(call.json?.emv), kind]
    const of = 'WHERE emv = ? AND kind = ?'
    await sandbox.run(
      `UPDATE transfers SET qrcode_id = NULL WHERE qrcode_id = (SELECT id FROM qrcodes ${of})`,
      values,
    )
    await sandbox.run(`UPDATE qrcodes SET status = 'ATIVA', transfer_id = NULL ${of}`, values)
    return call
  }
}

async function edited(call: Call, sandbox: TestSandbox, edit: (charge: unknown) => unknown): Promise<Call> {
  const emv = String(call.json?.emv)
  const sql = 'SELECT charge FROM qrcodes WHERE emv = ?'
  const row = await sandbox.app.store.read((queries) => queries.get<{ charge: string }>(sql, [emv]))
  const charge = JSON.stringify(edit(JSON.parse(row?.charge ?? '{}')))
  await sandbox.run('UPDATE qrcodes SET charge = ? WHERE emv = ?', [charge, emv])
  return call
}

/** Makes a due-date charge payable for longer than any test takes. */
function prolonged(call: Call, sandbox: TestSandbox): Promise<Call> {
  return edited(call, sandbox, (it) =>
    at(it, '/calendar/due_date') === undefined ? it : set('/calendar/expiration_days', 9_999)(it),
  )
}

/** Makes an immediate charge payable for longer than any test takes. */
function longer(call: Call, sandbox: TestSandbox): Promise<Call> {
  return edited(call, sandbox, (it) =>
    at(it, '/calendar/due_date') === undefined ? set('/calendar/expiration', 99_999_999_999)(it) : it,
  )
}

/** Accepts lookups of the partner for its customers. */
function sharedInitiations(sandbox: TestSandbox): ReturnType<Wrap> {
  const partners = new Set<unknown>()
  const paid = retry('createTransfer', ['initiation_invalid'], (call) =>
    partners.has(call.json?.initiation_id) ? lookedUp(call, sandbox) : undefined,
  )(sandbox)
  const remember = after('checkKey', async ({ initiation_id }, { headers }) => {
    const authorization = headers.get('authorization')
    if ((await sandbox.send('GET', '/partner/user', { authorization })).user_id) partners.add(initiation_id)
  })(sandbox)
  return (call, next) => (call.operation === 'checkKey' ? remember(call, next) : paid(call, next))
}

interface Parties {
  readonly payer: string
  readonly payee: string
}

/** Moves additional money once a transfer is accepted: centavos by account. */
function moving(moves: (amount: number, parties: Parties) => readonly (readonly [string, number])[]): Wrap {
  return after('createTransfer', async ({ data }, _, sandbox) => {
    const { id, account_id, amount } = data as Json
    const sql = 'SELECT payee_id FROM transfers WHERE id = ?'
    const row = await sandbox.app.store.read((queries) =>
      queries.get<{ payee_id: string }>(sql, [String(id)]),
    )
    const parties = { payer: String(account_id), payee: row?.payee_id ?? '' }
    for (const [account, by] of moves(Math.round(Number(amount) * 100), parties))
      await sandbox.run('UPDATE accounts SET balance = balance + ? WHERE id = ? AND balance + ? >= 0', [
        BigInt(by),
        account,
        BigInt(by),
      ])
  })
}

/** Debits one real from a payer whose transfer was refused. */
function debitingRefused(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'createTransfer' || response.status !== 422) return response
    if ((await bodyOf(response))?.code === 'insufficient_funds')
      await next(await lookedUp(withBody(call, { ...call.json, amount: '1.00' }), sandbox))
    return response
  }
}
