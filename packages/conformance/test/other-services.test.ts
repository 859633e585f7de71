import { createApp } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import type { check } from '../src/check.ts'
import type { CheckOptions } from '../src/engine/check-options.ts'
import { prepare } from '../src/engine/prepare.ts'
import { profile } from '../src/profiles/index.ts'
import type { Transport } from '../src/transport/transport.ts'
import { checkInProcess, inProcess } from './in-process-transport.ts'
import { alters, broken, problem, withItems } from './rules/broken.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }
const _url = 'http://in.process'

/** A correct service without the control API. */
async function another(): Promise<Transport> {
  const sandbox = await createApp({ limitsRates: false, control: false })
  onTestFinished(() => sandbox.close())
  return inProcess(sandbox.fetch)
}

async function run(transport: Transport, options: Partial<CheckOptions> = {}) {
  return checkInProcess(transport, { credentials, timeMs: 100, ...options })
}

function reasonOf({ rules }: Awaited<ReturnType<typeof check>>, id: string) {
  return rules.find(({ rule }) => rule === id)?.reason
}

test('accepts a service without the records of the examples', async () => {
  const right = await another()
  const transport = broken(
    right,
    alters('checkKey', () => problem(404, 'not_found')),
  )
  const { findings } = await run(transport, { only: ['example-accepted'], operations: ['checkKey'] })
  expect(findings).toEqual([])
})

test('accepts a partner without the permission to impersonate', async () => {
  const right = await another()
  const transport = broken(
    right,
    alters('impersonate', () => problem(403, 'wrong_token_kind')),
  )
  const only = ['example-accepted', 'links-followed']
  const { findings } = await run(transport, { only, operations: ['impersonate'] })
  expect(findings).toEqual([])
})

test('names the rules that need the control of the sandbox', async () => {
  const only = ['expired-token-refused', 'refusals-later']
  const result = await run(await another(), { only })
  const reason = 'it needs the control API of the sandbox, which the service does not have'
  expect(only.map((id) => reasonOf(result, id))).toEqual([reason, reason])
})

test.each([
  ['http://127.0.0.1:4020', true],
  ['http://localhost:4020', true],
  ['https://staging.example.com/v2', false],
])('waits for deliveries of the sandbox %s: %s', async (base, isReached) => {
  const { receiver, transport } = await prepare({ url: base, target: 'sandbox', credentials }, profile)
  await Promise.all([receiver?.close(), transport.close()])
  expect(receiver !== undefined).toBe(isReached)
})

test('ignores records that others create at the same time', async () => {
  const right = await another()
  // Each list request shows a record that another client just created.
  let count = 0
  const transport = broken(
    right,
    alters('listWebhooks', (response) =>
      withItems(response, (items) => [{ ...items[0], id: `${count++}` }, ...items]),
    ),
  )
  const only = ['record-changes']
  const { findings } = await run(transport, { only, operations: ['createWebhook'] })
  expect(findings).toEqual([])
})

test('sends no changes by excluded operations', async () => {
  const right = await another()
  const paths = new Set<string>()
  const transport = broken(right, (call, next) => {
    // A read may test whether a token is accepted.
    if (call.method !== 'GET') paths.add(call.path)
    return next(call)
  })
  await run(transport, { operations: ['listUsers'] })
  expect([...paths].filter((path) => /webhook|pix/.test(path))).toEqual([])
})
