import guideDocument from '@partner-payments/spec/guide.json' with { type: 'json' }
import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readContract, withAliases } from '../../src/model/contract.ts'
import { NotSent } from '../../src/model/errors.ts'
import { pix } from '../../src/profiles/pix/index.ts'
import { createGuard, type GuardOptions, UNREADABLE } from '../../src/transport/guard.ts'
import { createPolicy } from '../../src/transport/policy.ts'

const contract = withAliases(readContract(contractDocument), readContract(guideDocument))
const PAY = '/mobile-bff/v1/pix/out'

function guardOf({ maxAmount, ...other }: Partial<GuardOptions> = {}) {
  const target = other.target ?? 'live'
  const policy = createPolicy(contract, target, {
    payment: pix.payment,
    ...(maxAmount === undefined ? {} : { allowPayments: { maxAmount } }),
  })
  const tracked = { isOwn: (path: string) => path.includes('own'), begin: () => true }
  return createGuard({
    contract,
    policy,
    tracked,
    target,
    maxAmount,
    payment: pix.payment,
    signal: undefined,
    ...other,
  })
}

const call = (method: string, path: string, body?: unknown) => ({
  method,
  path,
  headers: {},
  body: body === undefined ? undefined : JSON.stringify(body),
})
const pay = (amount: unknown, path = `${PAY}/`) => call('POST', path, { amount })

test('keeps dangerous requests from a live service', () => {
  const guard = guardOf()
  expect(() => guard(contract.operation('createTransfer'), pay('0.01'))).toThrow(NotSent)
  expect(() => guard(contract.operation('createStaticQrCode'), call('POST', '/x', {}))).toThrow(NotSent)
  expect(() => guard(contract.operation('createWebhook'), call('POST', '/x', {}))).not.toThrow()
  expect(() => guard(contract.operation('listUsers'), call('GET', '/x'))).not.toThrow()
})

test.each([`${PAY}/`, PAY, `${PAY}//`, `${PAY}/?x=1`])(
  'sees a payment in %s too, whatever a rule calls it',
  (path) => {
    expect(() => guardOf()(undefined, pay('0.01', path))).toThrow(NotSent)
    expect(() => guardOf()(undefined, { ...pay('0.01', path), method: 'GET' })).not.toThrow()
  },
)

test.each(['0.01', '1.00'])('allows %s if 1.00 is allowed', (amount) => {
  expect(() => guardOf({ maxAmount: '1.00' })(undefined, pay(amount))).not.toThrow()
})

test.each(['1.01', '10.00', '1', '1.0', '1e0', '-1.00', 1, 0.5, null, undefined, ['0.01'], '0,01'])(
  'keeps %j back where 1.00 is allowed: it may be read as more',
  (amount) => {
    expect(() => guardOf({ maxAmount: '1.00' })(undefined, pay(amount))).toThrow('the payment is above 1.00')
  },
)

test.each(['0', 'x', '00000000-0000-4000-8000-000000000000', 'whose'])(
  'changes nothing of a live service at the id %s, which this run did not make',
  (id) => {
    const path = `/mobile-bff/v1/partner/webhook/${id}`
    for (const [method, operation] of [
      ['PATCH', 'updateWebhook'],
      ['DELETE', 'deleteWebhook'],
    ] as const) {
      const alone = 'not sent: on a live service, only records of this run may be changed'
      expect(() => guardOf()(contract.operation(operation), call(method, path))).toThrow(alone)
      expect(() => guardOf()(undefined, call(method, `${path}/`))).toThrow(alone)
      expect(() => guardOf()(contract.operation('getWebhook'), call(method, path))).toThrow(alone)
    }
    expect(() => guardOf()(contract.operation('getWebhook'), call('GET', path))).not.toThrow()
  },
)

test('allows changes of records of this run', () => {
  const path = '/mobile-bff/v1/partner/webhook/own'
  expect(() => guardOf()(contract.operation('updateWebhook'), call('PATCH', path, {}))).not.toThrow()
  expect(() => guardOf()(contract.operation('deleteWebhook'), call('DELETE', path))).not.toThrow()
})

test('blocks a body that is not JSON', () => {
  const guard = guardOf({ maxAmount: '1.00' })
  expect(() => guard(undefined, { ...pay('0.01'), body: '{"amount":"0.01"' })).toThrow(NotSent)
})

test('allows everything on a sandbox until the run is aborted', () => {
  const controller = new AbortController()
  const guard = guardOf({ target: 'sandbox', signal: controller.signal })
  expect(() => guard(contract.operation('createTransfer'), pay('999.00'))).not.toThrow()
  controller.abort()
  expect(() => guard(contract.operation('listUsers'), call('GET', '/x'))).toThrow('the run was aborted')
})

test.each(['/pix/out', '/pix/out/', '/pix/out?x=1'])('recognizes a payment in the short path %s', (path) => {
  expect(() => guardOf()(undefined, pay('0.01', path))).toThrow(NotSent)
  expect(() => guardOf({ maxAmount: '1.00' })(undefined, pay('0.01', path))).not.toThrow()
  expect(() => guardOf({ maxAmount: '1.00' })(undefined, pay('1.01', path))).toThrow(NotSent)
})

test('counts a webhook that a short path creates', () => {
  const tracked = { isOwn: () => false, begin: () => false }
  expect(() => guardOf({ tracked })(undefined, call('POST', '/partners/webhooks', {}))).toThrow(
    'the limit of created records',
  )
})

test.each(['/pix/out', `${PAY}/`, '/partners/webhooks'])(
  'lets %s have a body that cannot be executed',
  (path) => {
    const sent = (body: string) => () => guardOf()(undefined, { ...call('POST', path), body })
    expect(sent(UNREADABLE)).not.toThrow()
    if (path.includes('out'))
      for (const body of ['', '{}', `${UNREADABLE} `, '{"amount":']) expect(sent(body)).toThrow(NotSent)
  },
)

test('allows no change of other records, even with an invalid body', () => {
  const path = '/mobile-bff/v1/partner/webhook/whose'
  expect(() => guardOf()(undefined, { ...call('PATCH', path), body: UNREADABLE })).toThrow(NotSent)
})
