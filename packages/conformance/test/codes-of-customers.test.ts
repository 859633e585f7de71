import { expect, test } from 'vitest'
import { tryCodesAsOtherCustomers } from '../src/plans/codes-of-customers.ts'
import { identities } from '../src/plans/identities.ts'
import type { Plan } from '../src/plans/plan.ts'
import { by } from './services/call.ts'
import { checkService } from './services/check.ts'
import { callerOf } from './services/state.ts'
import { onResponse, type Service, together } from './services/wrap.ts'

const PARTNER = '47216ec3-f206-4f92-a1b8-735b0c2aba05'
const BELTRANA = '36ae7121-1c97-4280-87b4-8d6f48757d27'
const CUSTOMER_BELTRANA = '4aaf9299-2c17-4194-a33a-ad0bbf1d1859'

const LISTS = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])
const CREATIONS = new Set(['createImmediateQrCode', 'createDueDateQrCode'])
const CANCELLATIONS = new Set(['cancelImmediateQrCode', 'cancelDueDateQrCode'])

const plan: Plan = { id: 'customers', wants: [], run: tryCodesAsOtherCustomers }

/** The partner has a second customer, who was that of another partner. */
const withSecondCustomer: Service = {
  prepare: ({ run }) =>
    run('UPDATE users SET partner_id = ?, position = -1 WHERE id = ?', PARTNER, BELTRANA),
}

/** Some operations take the second customer for the one that has created a code last. */
function confusesCustomers(operations: ReadonlySet<string>): Service {
  return {
    operations: new Set([...CREATIONS, ...operations]),
    async wrap(call, next, sandbox) {
      if (CREATIONS.has(call.operation ?? '')) {
        sandbox.memory.set('creator', call.headers.get('authorization'))
        return next(call)
      }
      const caller = await callerOf(call, sandbox)
      const isSecond = caller?.customer_id === CUSTOMER_BELTRANA
      return next(isSecond ? by(call, String(sandbox.memory.get('creator'))) : call)
    },
  }
}

/** Checks a service. Returns its findings, and the status of each cancellation. */
async function checkCustomers(service: Service, run = plan) {
  const statuses: number[] = []
  const noteStatuses: Service = {
    operations: CANCELLATIONS,
    ...onResponse((response) => {
      statuses.push(response.status)
      return response
    }),
  }
  const { findings } = await checkService(together(noteStatuses, service, withSecondCustomer), {
    plans: [run],
  })
  const found = findings.map(({ rule, operation, severity }) => `${severity} ${rule}@${operation}`)
  return { found: found.sort(), statuses }
}

test('it finds nothing in a service that shows and cancels nothing of another customer', async () => {
  expect(await checkCustomers({})).toEqual({ found: [], statuses: [404, 404] })
})

test('it finds a list that shows the codes of another customer, which no request finds', async () => {
  const { found, statuses } = await checkCustomers(confusesCustomers(LISTS))
  expect(found).toEqual([
    'critical access-consistent@cancelDueDateQrCode',
    'critical access-consistent@cancelImmediateQrCode',
    'warning access-lists@listDueDateQrCodes',
    'warning access-lists@listImmediateQrCodes',
  ])
  expect(statuses).toEqual([404, 404])
})

test('it finds such a list in the plan of the identities too', async () => {
  const { found } = await checkCustomers(confusesCustomers(LISTS), identities)
  expect(found).toContain('critical access-consistent@cancelImmediateQrCode')
})

test('it finds a code that another customer can cancel', async () => {
  const { found } = await checkCustomers(confusesCustomers(CANCELLATIONS))
  expect(found).toEqual([
    'warning access-records@cancelDueDateQrCode',
    'warning access-records@cancelImmediateQrCode',
  ])
})

test('it sends nothing for a partner with one customer', async () => {
  const sent: unknown[] = []
  const service: Service = {
    operations: CREATIONS,
    ...onResponse((response, { operation }) => {
      sent.push(operation)
      return response
    }),
  }
  await checkService(service, { plans: [plan] })
  expect(sent).toEqual([])
})
