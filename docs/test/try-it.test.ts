import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRepeated, openSandbox } from '../.vitepress/theme/try-it.ts'
import { tryOperations } from '../build/try-it.ts'
import { behaviour, contract } from './site.ts'

const operations = tryOperations(contract, behaviour)
let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true })
})
afterAll(() => sandbox?.close())

it.each(operations)('$id succeeds with each of its examples', async (operation) => {
  const { prepare, send } = await openSandbox(operations, new URL(sandbox.url))
  const examples = operation.examples.length > 0 ? operation.examples : [undefined]
  for (const example of examples) {
    const response = await send(operation, await prepare(operation, 'partner', example?.body))
    expect(response.status, example?.summary).toBeLessThan(300)
  }
})

it('sends nothing from a page that is on another machine', async () => {
  await expect(openSandbox(operations, new URL('https://docs.example.com'))).rejects.toThrow('your machine')
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
  const operation = operations.find((it) => it.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const input = (body: string) => ({ identity: 'partner' as const, parameters: {}, body })
  expect(isRepeated(operation, input(first))).toBe(false)
  expect(isRepeated(operation, input(second))).toBe(isSame)
})
