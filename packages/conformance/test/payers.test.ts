import { expect, test } from 'vitest'
import { fieldsOf, stringAt } from '../src/contract/json.ts'
import { CodePayers } from '../src/plans/code-payers.ts'
import { plans } from '../src/plans/index.ts'
import type { Identities } from '../src/send/identities.ts'
import { NOT_SENT } from '../src/send/requests.ts'
import { payments } from './mutants/payments.ts'
import { checkService } from './services/check.ts'
import { refusesOneself } from './services/oneself.ts'
import { onSuccess, type Service, together } from './services/wrap.ts'
import { findService } from './variations/variations.ts'

const FULANO = '399e8188-1b06-4083-9229-9cdafae0c748'
const OF_PARTNER = 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001'
const OF_FULANO = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
const SECOND = '5bb0a3a5-3d28-43a1-b44b-be1ccf2e2970'

/** The customer who pays by default has the account of the codes, and a second one has another account. */
const twoCustomers: Service = {
  async prepare({ run }) {
    const columns = 'user_id, customer_type, provider_id, referral_code, status, metadata'
    await run(
      `INSERT INTO customers (id, position, account_id, created_at, updated_at, ${columns})
        SELECT '${SECOND}', -1, account_id, created_at, updated_at, ${columns}
        FROM customers WHERE id = '${FULANO}'`,
    )
    await run(`UPDATE customers SET account_id = '${OF_PARTNER}' WHERE id = '${FULANO}'`)
  },
}

/** Counts the payments of codes that were accepted, and the accounts that paid them. */
function countPayments() {
  const accounts = new Map<string, number>()
  const service: Service = {
    operations: 'createTransfer',
    ...onSuccess((body, call) => {
      const account = stringAt(body, '/data/account_id') ?? ''
      const isOfCode = call.json?.type === 'emv'
      if (isOfCode) accounts.set(account, (accounts.get(account) ?? 0) + 1)
      return undefined
    }),
  }
  return { service, accounts }
}

const EXAMPLES = plans.filter(({ id }) => id === 'examples')

test('it pays codes as another customer where the first one is their receiver', async () => {
  const { service, accounts } = countPayments()
  const result = await checkService(together(service, refusesOneself, twoCustomers), {
    plans: EXAMPLES,
  })
  expect(result.notSent).toEqual([])
  expect([...accounts]).toEqual([[OF_FULANO, 3]])
})

test('it pays codes as another customer where the checks do not show who the receiver is', async () => {
  const { service, accounts } = countPayments()
  const hidden: Service = {
    operations: 'checkCode',
    ...onSuccess((body) => {
      const beneficiary = { ...fieldsOf(body.beneficiary), account_number: '', tax_id: '' }
      return { ...body, beneficiary }
    }),
  }
  await checkService(together(service, hidden, refusesOneself, twoCustomers), { plans: EXAMPLES })
  expect([...accounts]).toEqual([[OF_FULANO, 3]])
})

test('it pays codes as the other partner where the only customer is their receiver', async () => {
  const { notSent } = await checkService(findService('oneself-refused'), { plans: EXAMPLES })
  expect(notSent).toEqual([])
})

test('it says what helps where the run knows nobody else than the receiver', async () => {
  // The types allow only to leave the other partner out, which `checkService` adds.
  const withoutOther = { plans: EXAMPLES, other: undefined } as object
  const { notSent } = await checkService(findService('oneself-refused'), withoutOther)
  expect(notSent).toContain(
    'not tried: what builds on a valid createTransfer (example 2), of which none was accepted (422) where the payer is the receiver, and the run knows no other payer: if a payment to oneself is the reason, name a key of somebody else than the payer with --set createImmediateQrCode/dict_key=KEY, or name another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  )
})

test('it looks nobody up, and lets nobody else pay, where a run may not search', async () => {
  const sent: string[] = []
  const payers: unknown[] = []
  const codePayers = new CodePayers({
    async send(operation) {
      sent.push(operation)
      return NOT_SENT
    },
    // The other functions of the identities are not called.
    identities: {
      has: () => true,
      authorization: async () => undefined,
      async letPay(payer: unknown) {
        payers.push(payer)
        return true
      },
    } as unknown as Identities,
    maySearch: false,
    namedCustomer: undefined,
  })
  expect(await codePayers.letNextPay({ account: '1', taxId: '12345678909' })).toBe(false)
  expect(await codePayers.listOtherCustomers()).toEqual([])
  expect({ sent, payers }).toEqual({ sent: [], payers: [] })
})

test('it names a service that pays a cancelled code, and refuses payments to oneself', async () => {
  const mutant = payments.find(({ says }) => says.startsWith('A cancelled code is paid.'))
  const { findings } = await checkService(mutant?.service ?? {}, {
    plans: plans.filter(({ id }) => ['examples', 'causes', 'lifecycles'].includes(id)),
  })
  const critical = findings.filter(({ severity }) => severity === 'critical')
  expect(critical.map(({ id }) => id.split(':', 2).join(':'))).toContain(
    'money-consistent:createTransfer',
  )
})
