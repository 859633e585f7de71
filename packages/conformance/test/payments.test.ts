import { expect, test } from 'vitest'
import { stringAt, withValue } from '../src/contract/json.ts'
import { causes } from '../src/plans/causes.ts'
import { later } from '../src/plans/later.ts'
import { payments } from '../src/plans/payments.ts'
import type { Plan } from '../src/plans/plan.ts'
import { run } from '../src/run.ts'
import { fetchTransport } from '../src/send/transport.ts'
import { openSandbox, other, partner } from './service.ts'

/** Runs a plan on a sandbox, with the bodies edited of responses to requests whose path ends so. */
async function runOn(plan: Plan, path: string, edit: (body: unknown) => unknown): Promise<string[]> {
  const { fetch, close } = await openSandbox(async (response, { url }) => {
    const { headers, status, ok } = response
    if (!ok || !url.endsWith(path)) return undefined
    return Response.json(edit(await response.json()), { headers, status })
  })
  const transport = fetchTransport(fetch)
  const { findings } = await run({ partner, other, target: 'sandbox', transport, plans: [plan] })
  await close()
  return [...new Set(findings.map(({ rule, operation }) => `${rule}@${operation}`))]
}

test('it finds an image of the code before', async () => {
  let last: unknown
  const findings = await runOn(causes, '/qrcode/static/', (body) => {
    const shown = withValue(body, '/qrcode_image', last ?? stringAt(body, '/qrcode_image'))
    last = stringAt(body, '/qrcode_image')
    return shown
  })
  expect(findings).toEqual(['codes-images@createStaticQrCode'])
})

test('it finds a sandbox in which refused transfers cost a centavo', async () => {
  let cost = 0
  const findings = await runOn(payments, '/_sandbox/state', (body) =>
    withValue(body, '/accounts/1/balance', `${900 - cost++ / 100}`),
  )
  expect(findings).toContain('money-moved@createTransfer')
})

test('it does not expect money of a transfer to oneself whose id is not that of its data', async () => {
  const id = () => crypto.randomUUID()
  const findings = await runOn(payments, '/pix/out/', (body) => withValue(body, '/id', id()))
  expect(findings).not.toContain('money-moved@createTransfer')
})

test('it finds a check that forgets the interest of the third day', async () => {
  const findings = await runOn(later, '/pix/brcode/emv/', (body) =>
    withValue(withValue(body, '/interest', '0'), '/final_amount', stringAt(body, '/original_amount')),
  )
  expect(findings).toContain('money-due@checkCode')
})
