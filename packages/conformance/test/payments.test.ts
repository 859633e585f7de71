import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { stringAt, withValue } from '../src/contract/json.ts'
import { causes } from '../src/plans/causes.ts'
import { later } from '../src/plans/later.ts'
import { payments } from '../src/plans/payments.ts'
import type { Plan } from '../src/plans/plan.ts'
import { run } from '../src/run.ts'
import { fetchTransport } from '../src/send/transport.ts'

/** Changes the body of each response to requests whose path ends so. */
interface Edit {
  readonly path: string
  readonly body: (body: unknown) => unknown
}

/** Runs a plan on a sandbox in this process, whose responses are edited. */
async function runOn(plan: Plan, edit: Edit): Promise<string[]> {
  const app = await createApp({ limitsRates: false })
  const transport = fetchTransport(async (request) => {
    const response = await app.fetch(request)
    if (!request.url.endsWith(edit.path) || response.status >= 400) return response
    const { headers, status } = response
    const body = edit.body(await response.json())
    return Response.json(body, { headers, status })
  })
  const credentials = { partner: secretOf('partner'), other: secretOf('other') }
  const { findings } = await run({ ...credentials, target: 'sandbox', transport, plans: [plan] })
  await app.close()
  return [...new Set(findings.map(({ rule, operation }) => `${rule}@${operation}`))]
}

const secretOf = (clientKey: string) => ({ clientKey, clientSecret: 'secret' })

test('it finds an image of the code before', async () => {
  let last: unknown
  const findings = await runOn(causes, {
    path: '/qrcode/static/',
    body: (body) => {
      const shown = withValue(body, '/qrcode_image', last ?? stringAt(body, '/qrcode_image'))
      last = stringAt(body, '/qrcode_image')
      return shown
    },
  })
  expect(findings).toEqual(['codes-images@createStaticQrCode'])
})

test('it finds a sandbox in which refused transfers cost a centavo', async () => {
  let cost = 0
  const findings = await runOn(payments, {
    path: '/_sandbox/state',
    body: (body) => withValue(body, '/accounts/1/balance', `${900 - cost++ / 100}`),
  })
  expect(findings).toContain('money-moved@createTransfer')
})

test('it does not expect money of a transfer to oneself whose id is not that of its data', async () => {
  const id = () => crypto.randomUUID()
  const findings = await runOn(payments, { path: '/pix/out/', body: (body) => withValue(body, '/id', id()) })
  expect(findings).not.toContain('money-moved@createTransfer')
})

test('it finds a check that forgets the interest of the third day', async () => {
  const findings = await runOn(later, {
    path: '/pix/brcode/emv/',
    body: (body) =>
      withValue(withValue(body, '/interest', '0'), '/final_amount', stringAt(body, '/original_amount')),
  })
  expect(findings).toContain('money-due@checkCode')
})
