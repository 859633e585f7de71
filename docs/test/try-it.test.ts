import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRepeated, openSandbox, startOf } from '../.vitepress/theme/try-it.ts'
import { tryOperations } from '../build/try-it.ts'
import { behaviour, contract } from './site.ts'

const operations = tryOperations(contract, behaviour)
let sandbox: RunningSandbox
let form: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true })
  form = await openSandbox(operations, new URL(sandbox.url))
})
afterAll(() => sandbox?.close())

it.each(operations)('$id succeeds with each of its examples', async (operation) => {
  for (const example of (operation.examples.length > 0 ? operation.examples : ['none']).keys()) {
    const response = await form.send(
      operation,
      await form.prepare(operation, { identity: 'partner', example }),
    )
    expect(response.status, operation.examples[example]?.summary).toBeLessThan(300)
  }
})

it.each([
  ['customer', 'checkKey', 'createTransfer', ['dict_key', 'initiation_id']],
  ['customer', 'checkCode', 'createTransfer', ['emv']],
  ['partner', 'createStaticQrCode', 'checkCode', ['emv']],
  ['partner', 'createImmediateQrCode', 'cancelImmediateQrCode', ['id']],
  ['partner', 'createWebhook', 'rotateWebhookSecret', ['id']],
  ['partner', 'getUser', 'impersonate', []],
] as const)(
  'as a %s, %s leads to %s with its values, and both succeed',
  async (identity, first, second, carried) => {
    const input = await form.prepare(operationOf(first), { identity, example: 0 })
    const body = await (await form.send(operationOf(first), input)).text()
    const link = operationOf(first).next.find(({ id }) => id === second)
    if (!link) throw new Error(`${first} has no next step ${second}`)
    const next = await form.prepare(
      operationOf(second),
      startOf(link, operationOf(second), input, body),
    )
    const shown = { ...JSON.parse(input.body || '{}'), ...JSON.parse(body) }
    for (const name of carried) expect(JSON.stringify(next)).toContain(shown[name])
    expect((await form.send(operationOf(second), next)).status).toBeLessThan(300)
  },
)

it('registers the receiver of the sandbox as a webhook', async () => {
  const { body } = await form.prepare(operationOf('createWebhook'), {
    identity: 'partner',
    example: 0,
  })
  expect(JSON.parse(body)).toMatchObject({ url: `${sandbox.url}/_sandbox/receiver` })
})

it('names the operation that it sends first for an id', async () => {
  const start = { identity: 'partner', example: 0 } as const
  expect((await form.prepare(operationOf('cancelImmediateQrCode'), start)).first).toBe(
    'createImmediateQrCode',
  )
  expect((await form.prepare(operationOf('checkKey'), start)).first).toBeUndefined()
})

it('sends nothing from a page that is on another machine', async () => {
  await expect(openSandbox(operations, new URL('https://docs.example.com'))).rejects.toThrow(
    'your machine',
  )
})

it('fails if no sandbox responds', async () => {
  const page = new URL(`${sandbox.url}/`)
  const elsewhere = operations.map((it) => ({ ...it, path: '/nowhere' }))
  await expect(openSandbox(elsewhere, page)).rejects.toThrow('/nowhere returned 404')
})

it.each([
  ['createTransfer', '{ "amount": "1.00" }', '{"amount":"1.00"}', true],
  ['createTransfer', '{"amount":"2.00"}', '{"amount":"3.00"}', false],
  ['checkKey', '{"dict_key":"a"}', '{"dict_key":"a"}', false],
  ['createWebhook', 'no JSON', 'no JSON', true],
])('knows of %s after %s whether %s repeats it: %s', (id, first, second, isSame) => {
  const operation = operationOf(id)
  const input = (body: string) => ({ identity: 'partner' as const, parameters: {}, body })
  expect(isRepeated(operation, input(first))).toBe(false)
  expect(isRepeated(operation, input(second))).toBe(isSame)
})

function operationOf(id: string) {
  const operation = operations.find((it) => it.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  return operation
}
