import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RefusalCode } from '../src/behaviour.ts'
import type { OperationId } from '../src/contract.ts'
import type { RunningSandbox } from '../src/index.ts'
import type { Disturbance } from '../src/service/service.ts'
import { type Example, examples, json, type Send, signIn } from './contract.ts'
import { newTxId, prepare } from './prepare.ts'
import { proxy, type RunningProxy } from './prism.ts'
import { start } from './running.ts'

let sandbox: RunningSandbox
let prism: RunningProxy
let send: Send
/** Applied to the next responses of checkKey. */
let broken: Disturbance | undefined

beforeAll(async () => {
  sandbox = await start({ disturb: (id) => (id === 'checkKey' ? broken : undefined) })
  prism = await proxy(sandbox.url)
  send = await signIn(prism.url)
})

afterAll(async () => {
  await prism.close()
  await sandbox.close()
})

it.each(examples.map((it) => [it.id, it.name, it] as const))(
  '%s %s succeeds through Prism without a violation',
  async (id, _, example) => {
    await sandbox.worker.idle()
    const response = await send(id, await prepare(send, example))
    expect(response.headers.get('sl-violations')).toBeNull()
    expect([200, 201, 204]).toContain(response.status)
  },
)

const dict_key = '12ABC34501DE35'

const REFUSALS: readonly [status: number, code: RefusalCode, refused: () => Promise<Response>][] = [
  [401, 'invalid_token', () => send('listUsers', { authorization: 'Bearer of-nobody' })],
  [401, 'invalid_credentials', () => send('signIn', { authorization: `Basic ${btoa('partner:wrong')}` })],
  [403, 'wrong_token_kind', async () => send('listUsers', { authorization: await customersToken() })],
  [404, 'not_found', () => send('checkKey', { body: { dict_key: 'nobody@example.com' } })],
  [404, 'not_found', () => send('getWebhook')],
  [409, 'tx_id_taken', () => twice('createImmediateQrCode')],
  [409, 'initiation_used', () => twice('createTransfer', 'payKey')],
  [409, 'code_paid', () => payCodeTwice()],
  [422, 'invalid_code', () => send('checkCode', { body: { emv: '000201' } })],
  [422, 'invalid_key', () => send('checkKey', { body: { dict_key: 'no key' } })],
  [422, 'insufficient_funds', () => pay('1000000.00')],
  [422, 'field_missing', () => send('createDueDateQrCode', { body: { dict_key, tx_id: newTxId() } })],
  [422, 'url_not_allowed', () => send('createWebhook', { body: { type: 'all', url: 'https://10.0.0.1/' } })],
]

it.each(REFUSALS)('%i %s passes Prism without a violation', async (status, code, refused) => {
  await sandbox.worker.idle()
  const response = await refused()
  expect(response.headers.get('sl-violations')).toBeNull()
  expect(await json(response)).toMatchObject({ status, code })
})

const BROKEN: readonly [what: string, broken: Disturbance, finding: string][] = [
  [
    'a success that lacks a field',
    {
      after: async (response) => {
        const { ispb: _, ...rest } = await json(response)
        return Response.json(rest, { headers: response.headers })
      },
    },
    "must have required property 'ispb'",
  ],
  [
    'a refusal that lacks a field',
    {
      before: async () => {
        const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'req_1' }
        return Response.json({ status: 404 }, { status: 404, headers })
      },
    },
    "must have required property 'code'",
  ],
]

it.each(BROKEN)('Prism reports %s', async (_, disturbance, finding) => {
  broken = disturbance
  const response = await send('checkKey', { body: { dict_key: 'beltrana@example.com' } })
  broken = undefined
  expect(response.status).toBe(500)
  expect(await response.text()).toContain(finding)
})

it('Prism reports a request that breaks the contract', async () => {
  const response = await send('checkKey', { body: {} })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain("must have required property 'dict_key'")
})

/** Sends a request twice, and returns the second response. */
async function twice(id: OperationId, name?: string): Promise<Response> {
  const asked = await prepare(send, exampleOf(id, name))
  await send(id, asked)
  return send(id, asked)
}

/** A customer pays a charge of the partner. */
async function payCodeTwice(): Promise<Response> {
  const example = exampleOf('createImmediateQrCode')
  const { emv } = await json(await send(example.id, await prepare(send, example)))
  const body = { type: 'emv', emv, amount: '35.90' }
  const authorization = await customersToken()
  await send('createTransfer', { body, authorization })
  return send('createTransfer', { body, authorization })
}

async function pay(amount: string): Promise<Response> {
  const { body } = await prepare(send, exampleOf('createTransfer', 'payKey'))
  return send('createTransfer', { body: { ...body, amount } })
}

async function customersToken(): Promise<string> {
  const { access_token } = await json(await send('impersonate', { body: exampleOf('impersonate').body }))
  return `Bearer ${access_token}`
}

function exampleOf(id: OperationId, name?: string): Example {
  const example = examples.find((it) => it.id === id && (name === undefined || it.name === name))
  if (!example) throw new Error(`no example ${name} of ${id}`)
  return example
}
